import { expect, test } from "vitest";
import { aPod } from "./fixtures/pod.js";
import { isRatherOf } from "./twins.js";
import type { PodView } from "./view.js";
import { viewPod } from "./view-of.js";

const nodeId = "wf-123";
const early = "2024-01-01T00:00:00Z";
const late = "2024-01-01T00:00:09Z";

function view(more: Partial<PodView>): PodView {
  return { ...viewPod(aPod()), nodeId, name: "wf-a-123", uid: "u1", createdAt: early, ...more };
}

test.each<[string, Partial<PodView>, Partial<PodView>]>([
  ["named for the node, against one that came earlier", { createdAt: late }, { name: "other", uid: "u2" }],
  ["named by the node's ID", { name: nodeId }, { name: "other", uid: "u2" }],
  ["the first of two strangers", { name: "one" }, { name: "other", uid: "u2", createdAt: late }],
  ["the successor under the same name", { createdAt: late }, { uid: "u2" }],
  ["by UID where nothing else tells", { name: "one" }, { name: "other", uid: "u2" }],
])("the node's own is the one %s", (_, own, other) => {
  expect(isRatherOf(view(own), view(other))).toBe(true);
  expect(isRatherOf(view(other), view(own))).toBe(false);
});
