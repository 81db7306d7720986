import { expect, test } from "vitest";
import { annotations } from "../core/model/argo/names.js";
import { aPod } from "../core/podlife/fixtures/pod.js";
import { isStub, readStubs, standInFor } from "./stubs.js";

test("a template of that name gets a stand-in, any other stays itself", () => {
  const standIn = standInFor(readStubs([{ template: "notify", outcome: null, file: null }]));
  const notify = standIn({ name: "notify", http: { url: "https://example.invalid" } });
  expect(notify?.container).toBeDefined();
  expect(notify?.http).toBeUndefined();
  expect(standIn({ name: "other", http: { url: "https://example.invalid" } })).toBeUndefined();
  expect(standIn({ suspend: {} })).toBeUndefined();
});

test("a result is what the stub prints, outputs are its files", () => {
  const outcome = { result: 7, parameters: { x: "1" }, files: { "/own": "2" }, duration: "1s" };
  const stub = readStubs([{ template: "a", outcome, file: "/a.yaml" }]).get("a");
  expect(stub?.outcome).toMatchObject({ stdout: "7\n", durationMs: 1000, exitCode: 0 });
  expect(stub?.outcome.files).toEqual({ "/own": "2", "/tiphys/outputs/parameters/x": "1" });
});

test.each([
  [{ exitCode: "none" }, "/a.yaml: exitCode: must be a whole number, 0 or more"],
  [{ artifacts: 1, typo: 2 }, "/a.yaml: artifacts: must be a map\ntypo: no such field"],
  [[], /^\/a\.yaml: must be a map$/],
])("a file that is wrong names all that is wrong with it: %j", (outcome, message) => {
  expect(() => readStubs([{ template: "a", outcome, file: "/a.yaml" }])).toThrow(message);
});

test("pods of stubs are known by their annotation", () => {
  const { metadata } = aPod();
  expect(isStub(aPod())).toBe(false);
  expect(isStub(aPod({ metadata: { ...metadata, annotations: { [annotations.stub]: "true" } } }))).toBe(true);
});
