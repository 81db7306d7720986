import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Container, Volume } from "../../../core/model/kube/pod.js";
import type { ConfigData } from "../config-source.js";
import { podOf } from "../testing/scripted-node.js";
import { makeVolume, mountsOf, volumePath } from "./disk.js";
import { planVolumes } from "./volume.js";

const folder = await mkdtemp(join(tmpdir(), "tiphys-volumes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const folders = { podFolder: join(folder, "pod"), claimsFolder: join(folder, "claims"), namespace: "default" };

const objects: Readonly<Record<string, ConfigData>> = {
  "configmap/cm": new Map([
    ["a", Buffer.from("A")],
    ["b", Buffer.from("B")],
  ]),
  "configmap/outside": new Map([["../x", Buffer.from("X")]]),
  "secret/s": new Map([["key", Buffer.from([0, 255])]]),
};

async function plansOf(volumes: readonly Volume[]) {
  const pod = podOf("p", { volumes });
  const labelled = { ...pod, metadata: { ...pod.metadata, labels: { app: "x" } } };
  return planVolumes(labelled, {
    isMade: false,
    facts: { pod: labelled, nodeName: "local", podIP: "", capacity: { cpuMillis: 1000, memoryBytes: 1024 } },
    source: { read: (kind, _namespace, name) => Promise.resolve(objects[`${kind}/${name}`]) },
    claimExists: (_namespace, name) => Promise.resolve(name === "claim"),
  });
}

/** Name -> content of the files of one volume, as planned. */
async function filesOf(volume: Volume): Promise<Readonly<Record<string, string>>> {
  const plans = await plansOf([volume]);
  const content = plans.ok ? plans.value[0]?.content : undefined;
  if (content?.kind !== "files") throw new Error(JSON.stringify(plans));
  return Object.fromEntries(
    content.files.map((file) => [file.path, `${file.bytes.toString()} ${file.mode.toString(8)}`]),
  );
}

test.each<[string, Volume, unknown]>([
  ["configMap", { name: "v", configMap: { name: "cm" } }, { a: "A 644", b: "B 644" }],
  [
    "items and modes",
    {
      name: "v",
      configMap: {
        name: "cm",
        defaultMode: 0o400,
        items: [
          { key: "a", path: "x/y" },
          { key: "b", path: "z", mode: 0o755 },
        ],
      },
    },
    { "x/y": "A 400", z: "B 755" },
  ],
  ["optional", { name: "v", secret: { secretName: "no", optional: true } }, {}],
  [
    "downwardAPI",
    { name: "v", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
    { labels: 'app="x" 644' },
  ],
  [
    "projected",
    {
      name: "v",
      projected: {
        defaultMode: 0o440,
        sources: [
          { configMap: { name: "cm", items: [{ key: "a", path: "conf/a" }] } },
          { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
          { serviceAccountToken: { path: "token" } },
        ],
      },
    },
    { "conf/a": "A 440", name: "p 440", token: " 600" },
  ],
])("%s", async (_, volume, expected) => {
  expect(await filesOf(volume)).toEqual(expected);
});

test.each<[string, Volume, string]>([
  [
    "ConfigMap",
    { name: "v", configMap: { name: "no" } },
    'MountVolume.SetUp failed for volume "v" : configmap "no" not found',
  ],
  [
    "key",
    { name: "v", configMap: { name: "cm", items: [{ key: "no", path: "x" }] } },
    'MountVolume.SetUp failed for volume "v" : references non-existent config key: no',
  ],
])("a missing %s", async (_, volume, message) => {
  expect(await plansOf([volume])).toMatchObject({ ok: false, error: { missing: { message } } });
});

test.each<[string, Volume, string]>([
  [
    "a missing claim",
    { name: "v", persistentVolumeClaim: { claimName: "no" } },
    'persistentvolumeclaim "no" not found',
  ],
  [
    "a path that leaves",
    { name: "v", configMap: { name: "cm", items: [{ key: "a", path: "../x" }] } },
    'path "../x" leaves its volume',
  ],
  ["a key that leaves", { name: "v", configMap: { name: "outside" } }, 'path "../x" leaves its volume'],
  ...["", ".", "x/", "x/."].map((path): [string, Volume, string] => [
    `a path that is none: "${path}"`,
    { name: "v", configMap: { name: "cm", items: [{ key: "a", path }] } },
    `path "${path}" is no name of a file`,
  ]),
  ["another kind", { name: "v", iscsi: {} }, 'volume "v" is of a kind that this machine does not have'],
])("%s", async (_, volume, message) => {
  expect(await plansOf([volume])).toEqual({ ok: false, error: { message } });
});

async function made(volumes: readonly Volume[]) {
  const plans = await plansOf(volumes);
  if (!plans.ok) throw new Error(JSON.stringify(plans.error));
  for (const plan of plans.value) await makeVolume(plan, folders);
  return plans.value;
}

test("volumes on disk: files with modes, an open folder, a claim that stays", async () => {
  const plans = await made([
    { name: "files", configMap: { name: "cm", defaultMode: 0o440 } },
    { name: "binary", secret: { secretName: "s" } },
    { name: "empty", emptyDir: {} },
    { name: "claimed", persistentVolumeClaim: { claimName: "claim" } },
  ]);
  const [files, binary, empty, claimed] = plans.map((plan) => volumePath(plan, folders));
  expect(await readFile(join(files ?? "", "a"), "utf8")).toBe("A");
  expect((await stat(join(files ?? "", "a"))).mode & 0o777).toBe(0o440);
  expect([...(await readFile(join(binary ?? "", "key")))]).toEqual([0, 255]);
  expect((await stat(empty ?? "")).mode & 0o777).toBe(0o777);
  expect(claimed).toBe(join(folder, "claims", "default_claim"));
});

test("hostPath: made where its type says so, refused where it is missing", async () => {
  const path = join(folder, "host", "made");
  await made([{ name: "v", hostPath: { path, type: "DirectoryOrCreate" } }]);
  expect((await stat(path)).isDirectory()).toBe(true);
  const missing = made([{ name: "v", hostPath: { path: join(folder, "no"), type: "" } }]);
  await expect(missing).rejects.toThrow("does not exist");
});

test("subPath: made as a folder, expanded, and never a way out", async () => {
  const plans = await made([{ name: "empty", emptyDir: {} }]);
  const mount = (more: object): Container => ({
    name: "main",
    volumeMounts: [{ name: "empty", mountPath: "/m", ...more }],
  });
  const env = new Map([["POD", "p1"]]);
  const sourcesOf = async (more: object) =>
    (await mountsOf({ container: mount(more), plans, folders, env })).map((one) => one.source);
  const base = join(folder, "pod", "volumes", "empty");
  expect(await sourcesOf({ subPath: "a/b" })).toEqual([join(base, "a/b")]);
  expect(await sourcesOf({ subPathExpr: "logs/$(POD)" })).toEqual([join(base, "logs/p1")]);
  await expect(sourcesOf({ subPath: "../x" })).rejects.toThrow("leaves the volume");
  await symlink("/etc", join(base, "out"));
  await expect(sourcesOf({ subPath: "out" })).rejects.toThrow("leaves the volume");
  // Behind the link nothing is made before that is seen.
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  await symlink(elsewhere, join(base, "elsewhere"));
  await expect(sourcesOf({ subPath: "elsewhere/made" })).rejects.toThrow("leaves the volume");
  expect(await readdir(elsewhere)).toEqual([]);
});

test("subPath of a file that is there is the file", async () => {
  const plans = await made([{ name: "files", configMap: { name: "cm" } }]);
  const container: Container = {
    name: "main",
    volumeMounts: [{ name: "files", mountPath: "/m/a", subPath: "a" }],
  };
  const [mount] = await mountsOf({ container, plans, folders, env: new Map() });
  expect(await readFile(mount?.source ?? "", "utf8")).toBe("A");
});

test.skipIf(process.getuid?.() === 0)("files that nobody may write are made anew all the same", async () => {
  const volume: Volume = { name: "again", secret: { secretName: "s", defaultMode: 0o400 } };
  await made([volume]);
  const [plan] = await made([volume]);
  expect(plan).toMatchObject({ name: "again" });
});
