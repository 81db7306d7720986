import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Workflow, WorkflowStatus } from "../core/model/argo/workflow.js";
import { compressNodes, knownNodes, withNodes } from "./stored-nodes.js";

const node = { id: "wf-1", name: "wf[0].ä", displayName: "ä", type: "Pod", phase: "Running" } as const;

function workflow(status: WorkflowStatus): Workflow {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "wf" }, spec: {}, status };
}

test("compressed nodes come back as they were, and the same nodes are the same text", () => {
  const compressedNodes = compressNodes([node]);
  expect(compressNodes([node])).toBe(compressedNodes);
  expect(withNodes(workflow({ compressedNodes })).status?.nodes).toEqual({ "wf-1": node });
});

test("Argo may compress with brotli as well", () => {
  const compressedNodes = brotliCompressSync(JSON.stringify({ "wf-1": node })).toString("base64");
  expect(withNodes(workflow({ compressedNodes })).status?.nodes).toEqual({ "wf-1": node });
});

test("what is not compressed is the same object", () => {
  const plain = workflow({ nodes: { "wf-1": node } });
  expect(withNodes(plain)).toBe(plain);
});

test.each<[string, WorkflowStatus, string]>([
  ["in place", { nodes: { "wf-1": node } }, "known"],
  ["none yet", {}, "known"],
  ["compressed and expanded", { compressedNodes: compressNodes([node]) }, "known"],
  ["no base64 of gzip", { compressedNodes: "nonsense" }, "broken"],
  ["compressed, and an empty map put there by someone", { compressedNodes: "nonsense", nodes: {} }, "broken"],
  ["no map", { compressedNodes: "H4sIAAAAAAAAAytKLC5WBAA=" }, "broken"],
  ["in a database", { offloadNodeStatusVersion: "fnv:1" }, "elsewhere"],
])("nodes that are %s", (_, status, kind) => {
  expect(knownNodes(withNodes(workflow(status))).kind).toBe(kind);
});
