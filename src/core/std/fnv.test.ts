import { expect, test } from "vitest";
import { nodeIdOf, podNameOf } from "../model/argo/names.js";
import { fnv1a32 } from "./fnv.js";

test("hashes as Go's hash/fnv does", () => {
  expect(fnv1a32("")).toBe(2166136261);
  expect(fnv1a32("a")).toBe(0xe40c292c);
  expect(fnv1a32("foobar")).toBe(0xbf9cf968);
});

test("node IDs and pod names are Argo's", () => {
  expect(nodeIdOf("wf", "wf")).toBe("wf");
  expect(nodeIdOf("wf", "wf.a")).toBe(`wf-${fnv1a32("wf.a")}`);
  expect(podNameOf("wf", "wf.a", "tmpl")).toBe(`wf-tmpl-${fnv1a32("wf.a")}`);
});
