import { describe, expect, test } from "vitest";
import { nodeIdOf, podNameOf } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Parameter } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import {
  parseNodeSelector,
  podNameOfNode,
  resume,
  type SubmitOptions,
  set,
  stop,
  submit,
  suspend,
  terminate,
  workflowFrom,
} from "./index.js";

const now = Date.parse("2026-01-01T01:00:00Z");
const at = "2026-01-01T01:00:00Z";

const supplied: Parameter = { name: "answer", valueFrom: { supplied: {} } };
const withDefault: Parameter = { name: "dft", valueFrom: { supplied: {}, default: "d" } };

function suspendNode(
  displayName: string,
  parameters?: readonly Parameter[],
  more: Partial<NodeStatus> = {},
): NodeStatus {
  const outputs = parameters === undefined ? {} : { outputs: { parameters } };
  return {
    id: displayName,
    name: `wf[0].${displayName}`,
    displayName,
    type: "Suspend",
    phase: "Running",
    ...outputs,
    ...more,
  };
}

function workflow(nodes: readonly NodeStatus[] = [], more: Partial<Workflow> = {}): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "wf", namespace: "argo" },
    spec: { entrypoint: "main" },
    status: { phase: "Running", nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) },
    ...more,
  };
}

const completed = workflow([], {
  metadata: { name: "wf", namespace: "argo", labels: { "workflows.argoproj.io/completed": "true" } },
});

function node(result: ReturnType<typeof resume>, id: string): NodeStatus | undefined {
  if (!result.ok) throw new Error(result.error);
  return result.value.status?.nodes?.[id];
}

describe("suspend, stop, terminate", () => {
  test("what they ask for stands in the spec", () => {
    expect(suspend(workflow())).toMatchObject({ ok: true, value: { spec: { suspend: true } } });
    expect(stop(workflow(), { now })).toMatchObject({ ok: true, value: { spec: { shutdown: "Stop" } } });
    expect(terminate(workflow())).toMatchObject({ ok: true, value: { spec: { shutdown: "Terminate" } } });
  });
  test("a finished workflow refuses, in Argo's words", () => {
    const shutdown = `cannot shutdown a completed workflow: workflow: "wf", namespace: "argo"`;
    expect(suspend(completed)).toEqual({ ok: false, error: "cannot suspend completed workflows" });
    expect(stop(completed, { now })).toEqual({ ok: false, error: shutdown });
    expect(terminate(completed)).toEqual({ ok: false, error: shutdown });
  });
  test("stop with a selector fails suspended nodes only", () => {
    const before = workflow([suspendNode("a"), suspendNode("b"), { ...suspendNode("c"), type: "Pod" }]);
    const result = stop(before, { nodeFieldSelector: "displayName=a", message: "no", now });
    expect(node(result, "a")).toMatchObject({ phase: "Failed", message: "no", finishedAt: at });
    expect(node(result, "b")).toMatchObject({ phase: "Running" });
    expect(result.ok && result.value.spec.shutdown).toBeFalsy();
  });
});

describe("resume", () => {
  test("clears suspend and answers every suspended node", () => {
    const before = workflow([suspendNode("a", [withDefault]), suspendNode("b"), { ...suspendNode("p"), type: "Pod" }], {
      spec: { suspend: true },
    });
    const result = resume(before, { now, message: "Resumed by: map[User:me]" });
    expect(result.ok && result.value.spec).toEqual({});
    expect(node(result, "a")).toMatchObject({
      phase: "Succeeded",
      finishedAt: at,
      message: "Resumed by: map[User:me]",
      outputs: { parameters: [{ name: "dft", value: "d" }] },
    });
    expect(node(result, "b")?.phase).toBe("Succeeded");
    expect(node(result, "p")?.phase).toBe("Running");
  });
  test("only those that the selector matches", () => {
    const result = resume(workflow([suspendNode("a"), suspendNode("b")]), { nodeFieldSelector: "displayName!=a", now });
    expect([node(result, "a")?.phase, node(result, "b")?.phase]).toEqual(["Running", "Succeeded"]);
  });
  test("an output that nobody supplied is an error", () => {
    expect(resume(workflow([suspendNode("a", [supplied])]), { now })).toEqual({
      ok: false,
      error: "raw output parameter 'answer' has not been set and does not have a default value",
    });
  });
});

describe("set", () => {
  const request = (change: object, nodeFieldSelector = "displayName=a") => ({ nodeFieldSelector, change, now });
  const before = workflow([suspendNode("a", [supplied, withDefault, { name: "set", value: "v" }]), suspendNode("n")]);
  test("output parameters, message, phase", () => {
    const result = set(before, request({ outputParameters: { answer: "YES" }, message: "ok", phase: "Succeeded" }));
    expect(node(result, "a")).toMatchObject({
      phase: "Succeeded",
      message: "ok",
      outputs: {
        parameters: [
          { name: "answer", value: "YES" },
          { name: "dft", value: "d" },
          { name: "set", value: "v" },
        ],
      },
    });
  });
  test("messages pile up", () => {
    const once = set(before, request({ message: "one" }));
    const twice = once.ok ? set(once.value, request({ message: "two" })) : once;
    expect(node(twice, "a")?.message).toBe("one; two");
    expect(node(twice, "a")?.phase).toBe("Running");
  });
  test.each<[object, string, string]>([
    [
      { outputParameters: { set: "x" } },
      "displayName=a",
      "cannot set output parameter 'set' because it does not use valueFrom.raw or it was already set",
    ],
    [{ outputParameters: { nope: "x" } }, "displayName=a", "node is not expecting output parameter 'nope'"],
    [
      { outputParameters: { x: "x" } },
      "displayName=n",
      "cannot set output parameters because node is not expecting any raw parameters",
    ],
    [
      { message: "x" },
      "displayName=z",
      "currently, set only targets suspend nodes: no suspend nodes matching nodeFieldSelector: displayName=z",
    ],
    [{ message: "x" }, "a", "invalid selector: 'a'; can't understand 'a'"],
  ])("%j on %s", (change, selector, error) => {
    expect(set(before, request(change, selector))).toEqual({ ok: false, error });
  });
});

describe("node field selectors", () => {
  const one: NodeStatus = {
    id: "id-1",
    name: "wf[0].a",
    displayName: "a",
    type: "Pod",
    phase: "Failed",
    templateName: "t",
    templateRef: { name: "lib", template: "x" },
    inputs: { parameters: [{ name: "p", value: "1,2" }] },
  };
  test.each<[string, boolean]>([
    ["", true],
    ["displayName=a", true],
    ["displayName==a", true],
    ["displayName!=a", false],
    ["phase=Failed,templateName=t", true],
    ["phase=Failed,templateName=u", false],
    ["name=wf[0].a", true],
    ["id=id-1", true],
    ["templateRef.name=lib,templateRef.template=x", true],
    ["inputs.parameters.p.value=1\\,2", true],
    ["inputs.parameters.q.value!=1", true],
    ["unknown=", true],
  ])("%s", (text, expected) => {
    const selector = parseNodeSelector(text);
    expect(selector.ok && selector.value(one)).toBe(expected);
  });
});

describe("submit", () => {
  const options: SubmitOptions = { suffix: "x7k2f" };
  const named = (metadata: Workflow["metadata"], more: Partial<SubmitOptions> = {}) => {
    const result = submit(workflow([], { metadata }), { ...options, ...more });
    return result.ok ? result.value.metadata : result.error;
  };
  test.each<[string, Workflow["metadata"], Partial<SubmitOptions>, object | string]>([
    ["its name", { name: "n" }, {}, { name: "n" }],
    ["a name made up", { generateName: "g-" }, {}, { generateName: "g-", name: "g-x7k2f" }],
    ["another name", { generateName: "g-" }, { name: "n" }, { generateName: "g-", name: "n" }],
    ["a made up name instead", { name: "n" }, { generateName: "g-" }, { generateName: "g-", name: "g-x7k2f" }],
    ["a namespace where there is none", { name: "n" }, { namespace: "ns" }, { name: "n", namespace: "ns" }],
    ["its own namespace", { name: "n", namespace: "own" }, { namespace: "ns" }, { name: "n", namespace: "own" }],
    [
      "labels, without those of an earlier run",
      { name: "n", labels: { a: "1", "workflows.argoproj.io/completed": "true" }, uid: "u", resourceVersion: "1" },
      { labels: { b: "2" }, annotations: { c: "3" }, instanceId: "i" },
      {
        name: "n",
        labels: { a: "1", b: "2", "workflows.argoproj.io/controller-instanceid": "i" },
        annotations: { c: "3" },
      },
    ],
    ["no name at all", {}, {}, "the workflow has neither metadata.name nor metadata.generateName"],
  ])("%s", (_name, metadata, more, expected) => {
    expect(named(metadata, more)).toEqual(expected);
  });
  test("what is given beats the file", () => {
    const before = workflow([], {
      spec: {
        entrypoint: "main",
        arguments: {
          parameters: [
            { name: "a", value: "1" },
            { name: "b", valueFrom: { configMapKeyRef: { key: "k" } } },
          ],
        },
      },
    });
    const parameters = [
      { name: "a", value: "2" },
      { name: "b", value: "3" },
      { name: "c", value: "4" },
      { name: "a", value: "5" },
    ];
    const result = submit(before, { ...options, parameters, entrypoint: "e", serviceAccount: "s", priority: 3 });
    expect(result.ok && result.value.spec).toEqual({
      entrypoint: "e",
      serviceAccountName: "s",
      priority: 3,
      arguments: {
        parameters: [
          { name: "a", value: "5" },
          { name: "b", value: "3" },
          { name: "c", value: "4" },
        ],
      },
    });
    expect(result.ok && result.value.status).toBeUndefined();
  });
  test("from a template, a cluster template, a cron workflow", () => {
    const head = { apiVersion: "argoproj.io/v1alpha1", metadata: { name: "lib", namespace: "ns" } };
    expect(workflowFrom({ ...head, kind: "WorkflowTemplate", spec: {} })).toMatchObject({
      metadata: { generateName: "lib-", namespace: "ns", labels: { "workflows.argoproj.io/workflow-template": "lib" } },
      spec: { workflowTemplateRef: { name: "lib" } },
    });
    expect(
      workflowFrom({ ...head, kind: "ClusterWorkflowTemplate", metadata: { name: "lib" }, spec: {} }),
    ).toMatchObject({
      metadata: { labels: { "workflows.argoproj.io/cluster-workflow-template": "lib" } },
      spec: { workflowTemplateRef: { name: "lib", clusterScope: true } },
    });
    const cron = {
      ...head,
      kind: "CronWorkflow",
      spec: { workflowSpec: { entrypoint: "e" }, workflowMetadata: { labels: { a: "1" } } },
    };
    expect(workflowFrom(cron, at)).toMatchObject({
      metadata: {
        labels: { a: "1", "workflows.argoproj.io/cron-workflow": "lib" },
        annotations: { "workflows.argoproj.io/scheduled-time": at },
      },
      spec: { entrypoint: "e" },
    });
  });
});

test("the pod of a node, found again from its ID when two names share a hash", () => {
  const one = (salt: number): NodeStatus => ({
    id: nodeIdOf("wf", "wf.a", salt),
    name: "wf.a",
    displayName: "a",
    type: "Pod",
    templateName: "t",
  });
  expect(podNameOfNode("wf", one(0))).toBe(podNameOf("wf", "wf.a", "t"));
  expect(podNameOfNode("wf", one(2))).toBe(podNameOf("wf", "wf.a", "t", 2));
  expect(podNameOfNode("wf", { ...one(0), templateRef: { template: "r" } })).toBe(podNameOf("wf", "wf.a", "r"));
  expect(podNameOfNode("wf", one(0), "v1")).toBe(one(0).id);
});
