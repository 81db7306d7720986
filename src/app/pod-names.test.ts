import { appendFile, mkdir, mkdtemp, readFile, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Pod } from "../core/model/kube/pod.js";
import { PodNames } from "./pod-names.js";

function pod(name: string): Pod {
  const metadata = { namespace: "default", name, uid: `uid-${name}` };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a line torn by a crash takes no other with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const first = new PodNames(folder);
  first.add(pod("a"));
  first.write();
  await appendFile(join(folder, "pods.ndjson"), '{"namespace":"default","name":"torn');
  const names = new PodNames(folder);
  names.add(pod("b"));
  names.add(pod("c"));
  await endOfTurn();
  const later = new PodNames(folder);
  const uids = ["a", "b", "c", "torn"].map((name) => later.uidOf({ namespace: "default", name }));
  expect(uids).toEqual(["uid-a", "uid-b", "uid-c", undefined]);
  later.forget(later.entries.filter(({ name }) => name === "b"));
  expect((await readFile(join(folder, "pods.ndjson"), "utf8")).split("\n").length).toBe(3);
});

test("a name that cannot be written now is known, and written with the next", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = new PodNames(folder);
  await mkdir(join(folder, "pods.ndjson"));
  names.add(pod("a"));
  await endOfTurn();
  expect(names.uidOf({ namespace: "default", name: "a" })).toBe("uid-a");
  await rmdir(join(folder, "pods.ndjson"));
  names.add(pod("b"));
  await endOfTurn();
  expect(new PodNames(folder).entries.map(({ name }) => name)).toEqual(["a", "b"]);
});
