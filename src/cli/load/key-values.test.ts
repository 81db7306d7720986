import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { configMapOf, environmentOf, namedData, secretOf } from "./key-values.js";

let cwd = "";
const env = new Map([["TOKEN", "t0"]]);

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tiphys-kv-"));
  await writeFile(join(cwd, ".env"), "URL=postgres://x\nUSER='me'\n");
  await writeFile(join(cwd, "prod.env"), "URL=prod\n");
  await writeFile(join(cwd, "cert.pem"), "PEM");
  await writeFile(join(cwd, "broken.env"), "nonsense");
  await mkdir(join(cwd, "dir"));
  await writeFile(join(cwd, "dir/a.txt"), "A");
  await writeFile(join(cwd, "dir/b.bin"), Uint8Array.from([255, 0]));
});

async function texts(given: readonly string[]): Promise<unknown> {
  const data = await namedData({ cwd, env }, "--secret", given);
  return Object.fromEntries(
    [...data].map(([name, values]) => [name, Object.fromEntries([...values].map(([k, v]) => [k, String(v)]))]),
  );
}

test.each<[readonly string[], unknown]>([
  [["db=.env"], { db: { URL: "postgres://x", USER: "me" } }],
  [["db=prod.env", "db/EXTRA=1"], { db: { URL: "prod", EXTRA: "1" } }],
  [["tls=cert.pem"], { tls: { "cert.pem": "PEM" } }],
  [["files=dir"], { files: { "a.txt": "A", "b.bin": "\uFFFD\u0000" } }],
  [["api/TOKEN"], { api: { TOKEN: "t0" } }],
  [["api/KEY=a=b", "api/OTHER="], { api: { KEY: "a=b", OTHER: "" } }],
])("%j", async (given, expected) => {
  expect(await texts(given)).toEqual(expected);
});

test.each([
  ["db", "not in a form I know"],
  ["Db=.env", "not in a form I know"],
  ["db=none.env", "no such file"],
  ["db=broken.env", "line 1: expected KEY=VALUE"],
  ["api/MISSING", "the environment has no MISSING"],
])("--secret %s is refused", async (word, message) => {
  await expect(texts([word])).rejects.toThrow(message);
});

test("environment: files first, then what was typed; a bare name takes ours", async () => {
  expect(await environmentOf({ cwd, env }, ["URL=typed", "TOKEN"], [".env"])).toEqual({
    URL: "typed",
    USER: "me",
    TOKEN: "t0",
  });
  await expect(environmentOf({ cwd, env }, ["9=x"], [])).rejects.toThrow("expected NAME=VALUE");
  await expect(environmentOf({ cwd, env }, ["NONE"], [])).rejects.toThrow("the environment has no NONE");
  await expect(environmentOf({ cwd, env }, [], ["none.env"])).rejects.toThrow("no such file");
});

test("secrets are base64; config maps keep text as text and the rest as base64", () => {
  const data = new Map([
    ["t", Buffer.from("é")],
    ["b", Buffer.from([255])],
  ]);
  expect(secretOf("s", "ns", data).data).toEqual({ t: "w6k=", b: "/w==" });
  expect(configMapOf("c", "ns", data)).toMatchObject({
    data: { t: "é" },
    binaryData: { b: "/w==" },
    metadata: { labels: { "workflows.argoproj.io/configmap-type": "Parameter" } },
  });
});
