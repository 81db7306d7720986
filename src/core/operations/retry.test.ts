import { describe, expect, test } from "vitest";
import { nodeIdOf } from "../model/argo/names.js";
import type { NodePhase, NodeStatus, NodeType } from "../model/argo/node.js";
import type { Workflow, WorkflowPhase, WorkflowSpec } from "../model/argo/workflow.js";
import { resubmit } from "./resubmit.js";
import { type RetryOptions, retry } from "./retry.js";
import { retryWithSpec } from "./retry-spec.js";

const now = Date.parse("2026-01-01T01:00:00Z");
const then = "2026-01-01T00:00:00Z";

interface Shape {
  readonly type?: NodeType;
  readonly phase?: NodePhase;
  /** Names, without the workflow's. */
  readonly children?: readonly string[];
  readonly more?: Partial<NodeStatus>;
}

/** Node name without the workflow's -> what it is; a Pod that succeeded unless said otherwise. */
type Graph = Readonly<Record<string, Shape>>;

function nodes(graph: Graph): Readonly<Record<string, NodeStatus>> {
  const list = Object.entries(graph).map(
    ([name, { type = "Pod", phase = "Succeeded", children, more }]): NodeStatus => ({
      id: nodeIdOf("wf", `wf${name}`),
      name: `wf${name}`,
      displayName: name === "" ? "wf" : name.replace(/^(\[\d+\])?\./, ""),
      type,
      phase,
      templateName: "t",
      startedAt: then,
      finishedAt: then,
      ...(children === undefined ? {} : { children: children.map((child) => nodeIdOf("wf", `wf${child}`)) }),
      ...more,
    }),
  );
  return Object.fromEntries(list.map((node) => [node.id, node]));
}

function workflow(graph: Graph, phase: WorkflowPhase = "Failed", spec: WorkflowSpec = {}): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {
      name: "wf",
      generateName: "w",
      namespace: "argo",
      uid: "u",
      labels: {
        "workflows.argoproj.io/completed": "true",
        "workflows.argoproj.io/phase": phase,
        "workflows.argoproj.io/creator": "me",
        mine: "1",
      },
    },
    spec: { entrypoint: "main", ...spec },
    status: { phase, message: "child failed", startedAt: then, finishedAt: then, nodes: nodes(graph) },
  };
}

/** What is deleted, and what is Running again, by name without the workflow's; sorted. */
function retriedNames(graph: Graph, options: Partial<RetryOptions> = {}, phase: WorkflowPhase = "Failed") {
  const result = retry(workflow(graph, phase), { now, ...options });
  if (!result.ok) throw new Error(result.error);
  const short = (list: readonly NodeStatus[]) => list.map(({ name }) => name.slice(2)).sort();
  const kept = Object.values(result.value.workflow.status?.nodes ?? {});
  return { deleted: short(result.value.deletedNodes), running: short(kept.filter((node) => node.phase === "Running")) };
}

const failed = { phase: "Failed" as const };
const attempt = { nodeFlag: { retried: true } };
const hook = { nodeFlag: { hooked: true } };
const steps: Graph = {
  "": { type: "Steps", ...failed, children: ["[0]"] },
  "[0]": { type: "StepGroup", children: ["[0].ok"] },
  "[0].ok": { children: ["[1]"] },
  "[1]": { type: "StepGroup", ...failed, children: ["[1].a", "[1].b"] },
  "[1].a": { ...failed },
  "[1].b": {},
};

describe("which nodes run again", () => {
  test.each<[string, Graph, readonly string[], readonly string[]]>([
    ["a failed step, in its group and its Steps", steps, ["[1].a"], ["", "[1]"]],
    ["the root alone", { "": failed }, [""], []],
    [
      "what follows a failed task",
      {
        "": { type: "DAG", ...failed, children: [".a", ".c"] },
        ".a": { ...failed, children: [".b"] },
        ".b": { type: "Skipped", phase: "Omitted" },
        ".c": {},
      },
      [".a", ".b"],
      [""],
    ],
    [
      "a task left out though no edge leads to it",
      {
        "": { type: "DAG", ...failed, children: [".s"] },
        ".s": { type: "Steps", ...failed, children: [".s[0]"] },
        ".s[0]": { type: "StepGroup", ...failed, children: [".s[0].x"] },
        ".s[0].x": failed,
        ".later": { type: "Skipped", phase: "Omitted" },
      },
      [".later", ".s[0].x"],
      ["", ".s", ".s[0]"],
    ],
    [
      "not a failure that later steps coped with (continueOn)",
      {
        "": { type: "Steps", ...failed, children: ["[0]"] },
        "[0]": { type: "StepGroup", children: ["[0].a"] },
        "[0].a": { ...failed, children: ["[1]"] },
        "[1]": { type: "StepGroup", children: ["[1].b"] },
        "[1].b": { children: ["[2]"] },
        "[2]": { type: "StepGroup", ...failed, children: ["[2].c"] },
        "[2].c": failed,
      },
      ["[2].c"],
      ["", "[2]"],
    ],
    [
      "unless there is nothing else (the whole DAG failed for it)",
      { "": { type: "DAG", ...failed, children: [".a"] }, ".a": { ...failed, children: [".b"] }, ".b": {} },
      [".a", ".b"],
      [""],
    ],
    [
      "all attempts of a wrapper, from (0) again (lessons G.1, 11)",
      {
        "": { type: "Retry", ...failed, children: ["(0)", "(1)"] },
        "(0)": { ...failed, more: attempt },
        "(1)": { ...failed, more: attempt },
      },
      ["(0)", "(1)"],
      [""],
    ],
    [
      "not the failed attempt of a wrapper that succeeded",
      {
        "": { type: "DAG", ...failed, children: [".r", ".x"] },
        ".r": { type: "Retry", children: [".r(0)", ".r(1)"] },
        ".r(0)": { ...failed, more: attempt },
        ".r(1)": { more: attempt },
        ".x": failed,
      },
      [".x"],
      [""],
    ],
    [
      "nor what failed inside it",
      {
        "": { type: "DAG", ...failed, children: [".r", ".x"] },
        ".r": { type: "Retry", children: [".r(0)", ".r(1)"] },
        ".r(0)": { type: "Steps", ...failed, children: [".r(0)[0]"], more: attempt },
        ".r(0)[0]": { type: "StepGroup", ...failed, children: [".r(0)[0].y"] },
        ".r(0)[0].y": failed,
        ".r(1)": { type: "Steps", children: [".r(1)[0]"], more: attempt },
        ".r(1)[0]": { type: "StepGroup", children: [".r(1)[0].y"] },
        ".r(1)[0].y": {},
        ".x": failed,
      },
      [".x"],
      [""],
    ],
    [
      "a DAG that is an Error though all in it went well in the end",
      {
        "": { type: "Steps", ...failed, children: ["[0]"] },
        "[0]": { type: "StepGroup", ...failed, children: ["[0].d"] },
        "[0].d": { type: "DAG", phase: "Error", children: ["[0].d.r"] },
        "[0].d.r": { type: "Retry", children: ["[0].d.r(0)", "[0].d.r(1)"] },
        "[0].d.r(0)": { ...failed, more: attempt },
        "[0].d.r(1)": { more: attempt },
      },
      ["[0].d", "[0].d.r", "[0].d.r(0)", "[0].d.r(1)"],
      ["", "[0]"],
    ],
    [
      "attempts that are composites, whole",
      {
        "": { type: "Retry", ...failed, children: ["(0)", "(1)"] },
        "(0)": { type: "Steps", ...failed, children: ["(0)[0]"], more: attempt },
        "(0)[0]": { type: "StepGroup", ...failed, children: ["(0)[0].x"] },
        "(0)[0].x": failed,
        "(1)": { type: "Steps", ...failed, children: ["(1)[0]"], more: attempt },
        "(1)[0]": { type: "StepGroup", ...failed, children: ["(1)[0].x", "(1)[0].y"] },
        "(1)[0].x": failed,
        "(1)[0].y": {},
      },
      ["(0)", "(0)[0]", "(0)[0].x", "(1)", "(1)[0]", "(1)[0].x", "(1)[0].y"],
      [""],
    ],
    [
      "one item of a loop",
      {
        "": { type: "DAG", ...failed, children: [".l"] },
        ".l": { type: "TaskGroup", ...failed, children: [".l(0:a)", ".l(1:b)"] },
        ".l(0:a)": {},
        ".l(1:b)": failed,
      },
      [".l(1:b)"],
      ["", ".l"],
    ],
    [
      "a node with a hook that succeeded, and the hook with it",
      {
        "": { type: "DAG", ...failed, children: [".a"] },
        ".a": { ...failed, children: [".a.onExit"] },
        ".a.onExit": { more: hook },
      },
      [".a", ".a.onExit"],
      [""],
    ],
    [
      "the exit hook of a DAG that goes on, whole: it comes after the DAG's end",
      {
        "": { type: "Steps", ...failed, children: ["[0]"] },
        "[0]": { type: "StepGroup", ...failed, children: ["[0].d"] },
        "[0].d": { type: "DAG", ...failed, children: ["[0].d.a", "[0].d.b", "[0].d.onExit"] },
        "[0].d.a": failed,
        "[0].d.b": {},
        "[0].d.onExit": { type: "Retry", ...failed, children: ["[0].d.onExit(0)"], more: hook },
        "[0].d.onExit(0)": { ...failed, more: { nodeFlag: { hooked: true, retried: true } } },
      },
      ["[0].d.a", "[0].d.onExit", "[0].d.onExit(0)"],
      ["", "[0]", "[0].d"],
    ],
    [
      "a hook that failed inside, whole; what it belongs to stays as it ended",
      {
        "": { type: "Steps", ...failed, children: ["[0]"] },
        "[0]": { type: "StepGroup", ...failed, children: ["[0].a"] },
        "[0].a": { children: ["[0].a.onExit"] },
        "[0].a.onExit": { type: "Steps", ...failed, children: ["[0].a.onExit[0]"], more: hook },
        "[0].a.onExit[0]": { type: "StepGroup", ...failed, children: ["[0].a.onExit[0].x"] },
        "[0].a.onExit[0].x": failed,
      },
      ["[0].a.onExit", "[0].a.onExit[0]", "[0].a.onExit[0].x"],
      ["", "[0]"],
    ],
    [
      "only the exit handler, if only that failed (lessons D-61)",
      { "": {}, ".onExit": { ...failed, more: hook } },
      [".onExit"],
      [],
    ],
    ["the exit handler again with main", { "": failed, ".onExit": { more: hook } }, ["", ".onExit"], []],
    [
      "an argument that did not resolve: the group has no step to blame (lessons G.1, 1)",
      {
        "": { type: "Steps", ...failed, children: ["[0]"] },
        "[0]": { type: "StepGroup", children: ["[0].ok"] },
        "[0].ok": { children: ["[1]"] },
        "[1]": { type: "StepGroup", phase: "Error" },
      },
      ["[1]"],
      [""],
    ],
    [
      "a container takes its pod and its siblings along",
      {
        "": { ...failed, children: [".a", ".b"] },
        ".a": { type: "Container" },
        ".b": { type: "Container", ...failed },
      },
      ["", ".a", ".b"],
      [],
    ],
    [
      "what was left Running in a finished workflow (lessons G.2, 4)",
      { "": { type: "DAG", ...failed, children: [".a"] }, ".a": { phase: "Running" } },
      [".a"],
      [""],
    ],
  ])("%s", (_name, graph, deleted, running) => {
    expect(retriedNames(graph)).toEqual({ deleted: [...deleted].sort(), running: [...running].sort() });
  });

  test("succeeded ones on demand, with what follows them", () => {
    const options = { restartSuccessful: true, nodeFieldSelector: "displayName=ok" };
    expect(retriedNames(steps, options)).toEqual({
      deleted: ["[0].ok", "[1]", "[1].a", "[1].b"],
      running: ["", "[0]"],
    });
  });

  test("new parameters remake what a loop or a group expands to", () => {
    expect(retriedNames(steps, { parameters: [{ name: "p", value: "1" }] })).toEqual({
      deleted: ["[1].a", "[1].b"],
      running: ["", "[1]"],
    });
  });

  test("25 stacked diamonds and a wide loop take no time (lessons D-53)", () => {
    const graph: Record<string, Shape> = { "": { type: "DAG", ...failed, children: [".a0"] } };
    for (let i = 0; i < 25; i++) {
      graph[`.a${i}`] = { children: [`.b${i}`, `.c${i}`] };
      graph[`.b${i}`] = { children: [`.a${i + 1}`] };
      graph[`.c${i}`] = { children: [`.a${i + 1}`] };
    }
    graph[".a25"] = { ...failed, children: [".l"] };
    const items = Array.from({ length: 20_000 }, (_, i) => `.l(${i}:x)`);
    graph[".l"] = { type: "TaskGroup", ...failed, children: items };
    for (const item of items) graph[item] = failed;
    expect(retriedNames(graph).deleted.length).toBe(20_002);
  });
});

describe("the retried workflow", () => {
  const before = workflow(steps, "Failed", { shutdown: "Stop", activeDeadlineSeconds: 0 });
  const result = retry(before, { now, parameters: [{ name: "p", value: "1" }] });
  const after = result.ok ? result.value.workflow : before;
  test("is as if it had just begun, in the next generation", () => {
    expect(after.metadata.labels).toEqual({
      "workflows.argoproj.io/phase": "Running",
      "workflows.argoproj.io/creator": "me",
      mine: "1",
    });
    expect(after.metadata.annotations).toEqual({ "tiphys.dev/retry-generation": "1" });
    expect(after.spec).toEqual({ entrypoint: "main", arguments: { parameters: [{ name: "p", value: "1" }] } });
    expect(after.status).toMatchObject({ phase: "", startedAt: "2026-01-01T01:00:00Z", conditions: [] });
    expect(after.status).not.toHaveProperty("finishedAt");
    expect(after.status).not.toHaveProperty("message");
  });
  test("has no edge to a node that is gone", () => {
    const kept = Object.values(after.status?.nodes ?? {});
    const ids = new Set(kept.map(({ id }) => id));
    expect(kept.flatMap(({ children = [] }) => children).filter((id) => !ids.has(id))).toEqual([]);
  });
  test("once more is generation 2", () => {
    const again = retry({ ...after, status: { ...after.status, phase: "Failed" } }, { now });
    expect(again.ok && again.value.workflow.metadata.annotations).toEqual({ "tiphys.dev/retry-generation": "2" });
  });
  test("the one before is left as it was", () => {
    expect(before).toEqual(workflow(steps, "Failed", { shutdown: "Stop", activeDeadlineSeconds: 0 }));
  });
});

test.each<[WorkflowPhase, Partial<RetryOptions>, string]>([
  ["Running", {}, "Cannot retry a workflow in phase Running"],
  ["", {}, "Cannot retry a workflow in phase "],
  ["Succeeded", {}, "To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector"],
  [
    "Succeeded",
    { restartSuccessful: true },
    "To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector",
  ],
  ["Failed", { nodeFieldSelector: "nonsense" }, "invalid selector: 'nonsense'; can't understand 'nonsense'"],
])("refuses %j %j", (phase, options, error) => {
  expect(retry(workflow(steps, phase), { now, ...options })).toEqual({ ok: false, error });
});

describe("retry with a corrected file", () => {
  const template = (name: string, args: readonly string[] = []) => ({ name, container: { image: "b", args } });
  const main = (a: object = {}) => ({
    name: "main",
    steps: [
      [{ name: "ok", template: "ok" }],
      [
        { name: "a", template: "a", ...a },
        { name: "b", template: "b" },
      ],
    ],
  });
  const spec = (...templates: object[]): WorkflowSpec => ({ entrypoint: "main", templates });
  const first = spec(main(), template("ok"), template("a"), template("b"));
  const named = (graph: Graph): Graph =>
    Object.fromEntries(
      Object.entries(graph).map(([name, shape]) => {
        const own = name === "" ? "main" : name.slice(-2) === "ok" ? "ok" : name.slice(-1);
        return [name, { ...shape, more: { ...shape.more, templateName: shape.type === "StepGroup" ? "" : own } }];
      }),
    );
  const run = (after: WorkflowSpec, phase: WorkflowPhase = "Failed", graph = named(steps)) => {
    const result = retryWithSpec(workflow(graph, phase, first), after, { now });
    if (!result.ok) return result.error;
    return { deleted: result.value.deletedNodes.map(({ name }) => name.slice(2)).sort(), again: result.value.runAgain };
  };
  const good = Object.fromEntries(
    Object.entries(named(steps)).map(([name, shape]) => [name, { ...shape, phase: "Succeeded" as const }]),
  );

  test("the failed step's template: only that step", () => {
    expect(run(spec(main(), template("ok"), template("a", ["fixed"]), template("b")))).toEqual({
      deleted: ["[1].a"],
      again: [],
    });
  });
  test("a succeeded step's template: that step, and what follows it", () => {
    expect(run(spec(main(), template("ok", ["new"]), template("a"), template("b")))).toEqual({
      deleted: ["[0].ok", "[1]", "[1].a", "[1].b"],
      again: ["ok", "b"],
    });
  });
  test("a succeeded step's arguments", () => {
    const args = { arguments: { parameters: [{ name: "p", value: "1" }] } };
    expect(run(spec(main(args), template("ok"), template("a"), template("b")), "Succeeded", good)).toEqual({
      deleted: ["[1].a"],
      again: ["a"],
    });
  });
  test("a step that is new: its group looks again, what succeeded stays", () => {
    const more = { ...main(), steps: [...main().steps, [{ name: "c", template: "b" }]] };
    const result = retryWithSpec(
      workflow(good, "Succeeded", first),
      spec(more, template("ok"), template("a"), template("b")),
      { now },
    );
    if (!result.ok) throw new Error(result.error);
    expect(result.value.deletedNodes).toEqual([]);
    expect(result.value.workflow.status?.nodes?.wf?.phase).toBe("Running");
  });
  test("a new parameter value concerns what reads it", () => {
    const reads = (name: string) => template(name, ["{{workflow.parameters.env}}"]);
    const before = {
      ...spec(main(), template("ok"), template("a"), reads("b")),
      arguments: { parameters: [{ name: "env", value: "dev" }] },
    };
    const options = { now, parameters: [{ name: "env", value: "prod" }] };
    const result = retryWithSpec(workflow(good, "Succeeded", before), before, options);
    expect(result.ok && result.value.runAgain).toEqual(["b"]);
    const kept = retryWithSpec(workflow(good, "Succeeded", before), { ...before, arguments: {} }, { now });
    expect(kept.ok ? "ran" : kept.error).toContain("nothing to run again");
  });
  test("nothing changed", () => {
    expect(run(first)).toEqual({ deleted: ["[1].a"], again: [] });
    expect(run(first, "Succeeded", good)).toContain("nothing to run again");
    expect(run(first, "Running")).toBe("Cannot retry a workflow in phase Running");
  });
  test("another entrypoint: everything", () => {
    const other = run({ ...first, entrypoint: "ok" }, "Succeeded", good);
    expect(typeof other === "string" ? [] : other.deleted.length).toBe(Object.keys(good).length);
  });
});

describe("resubmit", () => {
  const options = { now, suffix: "abcde" };
  test("a new workflow with the old one's spec, labels without the run's", () => {
    const result = resubmit(workflow(steps, "Failed", { shutdown: "Terminate" }), options);
    if (!result.ok) throw new Error(result.error);
    expect(result.value.metadata).toEqual({
      generateName: "w",
      namespace: "argo",
      labels: { mine: "1", "workflows.argoproj.io/resubmitted-from-workflow": "wf" },
      annotations: {},
    });
    expect(result.value.spec).toEqual({ entrypoint: "main" });
    expect(result.value.status).toBeUndefined();
  });
  test("memoized: kept pods are Skipped with a pointer, IDs and names are the new workflow's", () => {
    const result = resubmit(workflow(steps), { ...options, memoized: true });
    if (!result.ok) throw new Error(result.error);
    expect(result.value.metadata.name).toBe("wabcde");
    const all = Object.values(result.value.status?.nodes ?? {});
    expect(all.map(({ name }) => name).sort()).toEqual([
      "wabcde",
      "wabcde[0]",
      "wabcde[0].ok",
      "wabcde[1]",
      "wabcde[1].b",
    ]);
    expect(all.find(({ name }) => name === "wabcde[0].ok")).toMatchObject({
      id: nodeIdOf("wabcde", "wabcde[0].ok"),
      type: "Skipped",
      phase: "Skipped",
      message: `original pod: ${nodeIdOf("wf", "wf[0].ok")}`,
      children: [nodeIdOf("wabcde", "wabcde[1]")],
    });
    for (const node of all) expect(node.id).toBe(nodeIdOf("wabcde", node.name));
  });
  test("memoized needs a failure", () => {
    expect(resubmit(workflow(steps, "Succeeded"), { ...options, memoized: true })).toEqual({
      ok: false,
      error: "workflow must be Failed/Error to resubmit in memoized mode",
    });
  });
});
