import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Pod } from "../core/model/kube/pod.js";
import { PodNames } from "./pod-names.js";

function pod(name: string): Pod {
  const metadata = { namespace: "default", name, uid: `uid-${name}` };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
}

test("a line torn by a crash takes no other with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  new PodNames(folder).add(pod("a"));
  await appendFile(join(folder, "pods.ndjson"), '{"namespace":"default","name":"torn');
  const names = new PodNames(folder);
  names.add(pod("b"));
  names.add(pod("c"));
  const later = new PodNames(folder);
  const uids = ["a", "b", "c", "torn"].map((name) => later.uidOf({ namespace: "default", name }));
  expect(uids).toEqual(["uid-a", "uid-b", "uid-c", undefined]);
  later.forget(later.entries.filter(({ name }) => name === "b"));
  expect((await readFile(join(folder, "pods.ndjson"), "utf8")).split("\n").length).toBe(3);
});
