/** The workflow of the documentation's picture: every kind of row the live tree knows. */

import type { DAGTask } from "../../core/model/argo/template.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { at, type NodeSketch, sketchWorkflow } from "./workflows.js";

const name = "nightly-x7k2f";

function task(taskName: string, dependencies: readonly string[] = [], loop: Partial<DAGTask> = {}): DAGTask {
  return {
    name: taskName,
    template: taskName === "unit" || taskName === "build" ? taskName : "work",
    dependencies,
    ...loop,
  };
}

function pod(taskName: string, phase: "Succeeded" | "Running" | "Failed" | "Pending", times: Times): NodeSketch {
  return {
    name: `${name}.${taskName}`,
    displayName: taskName,
    type: "Pod",
    phase,
    boundaryID: name,
    templateName: "work",
    startedAt: at(times.from),
    ...(times.to === undefined ? {} : { finishedAt: at(times.to) }),
  };
}

interface Times {
  readonly from: number;
  readonly to?: number;
}

function loop(taskName: string, items: readonly NodeSketch[], phase: "Succeeded" | "Running"): NodeSketch {
  return {
    ...pod(taskName, phase, phase === "Running" ? { from: 43 } : { from: 12, to: 43 }),
    type: "TaskGroup",
    children: items.map((item) => item.name),
  };
}

function attempts(taskName: string, each: readonly NodeSketch[], last: "Failed" | "Running"): readonly NodeSketch[] {
  const retry: NodeSketch = {
    ...pod(taskName, "Running", { from: 43 }),
    type: "Retry",
    phase: last,
    templateName: taskName,
    children: each.map((attempt) => attempt.name),
  };
  return [retry, ...each.map((attempt) => ({ ...attempt, templateName: taskName, nodeFlag: { retried: true } }))];
}

const fetchItems = Array.from({ length: 8 }, (_, index) =>
  pod(`fetch(${index}:${index})`, "Succeeded", { from: 12, to: 43 }),
);

const trainItems = [
  pod("train(0:lr:0.1)", "Running", { from: 39 }),
  pod("train(1:lr:0.03)", "Succeeded", { from: 43, to: 60 }),
  pod("train(2:lr:0.01)", "Running", { from: 54 }),
  pod("train(3:lr:0.001)", "Pending", { from: 43 }),
];

/** 1m42s after its start. */
export function nightly(): Workflow {
  return sketchWorkflow({
    name,
    spec: {
      entrypoint: "main",
      onExit: "cleanup",
      templates: [
        {
          name: "main",
          dag: {
            failFast: false,
            tasks: [
              task("checkout"),
              task("lint", ["checkout"]),
              task("validate", ["checkout"]),
              task("fetch", ["validate"], { withItems: [0, 1, 2, 3, 4, 5, 6, 7] }),
              task("unit", ["fetch"]),
              task("build", ["fetch"]),
              task("train", ["fetch"], { withParam: "[]" }),
              task("package", ["unit", "build"]),
              task("evaluate", ["unit", "train"]),
              task("report", ["evaluate"]),
              task("publish", ["package"]),
              task("deploy", ["publish"]),
            ],
          },
        },
        { name: "work", container: { image: "alpine" } },
        { name: "unit", retryStrategy: { limit: 2 }, container: { image: "alpine" } },
        { name: "build", retryStrategy: { limit: 3 }, container: { image: "alpine" } },
        { name: "cleanup", container: { image: "alpine" } },
      ],
    },
    nodes: [
      { name, type: "DAG", phase: "Running", templateName: "main", startedAt: at(0) },
      pod("checkout", "Succeeded", { from: 0, to: 4 }),
      pod("lint", "Succeeded", { from: 4, to: 12 }),
      pod("validate", "Succeeded", { from: 4, to: 11 }),
      loop("fetch", fetchItems, "Succeeded"),
      ...fetchItems,
      ...attempts(
        "unit",
        [
          { ...pod("unit(0)", "Failed", { from: 43, to: 50 }), message: "Error (exit code 2)" },
          { ...pod("unit(1)", "Failed", { from: 50, to: 60 }), message: "Error (exit code 2)" },
          { ...pod("unit(2)", "Failed", { from: 60, to: 81 }), message: "Error (exit code 2)" },
        ],
        "Failed",
      ),
      ...attempts(
        "build",
        [
          { ...pod("build(0)", "Failed", { from: 43, to: 90 }), message: "OOMKilled (exit code 137)" },
          pod("build(1)", "Running", { from: 90 }),
        ],
        "Running",
      ),
      loop("train", trainItems, "Running"),
      ...trainItems,
    ],
  });
}

export const nightlyPodNotes: ReadonlyMap<string, string> = new Map([
  [`${name}.train(3:lr:0.001)`, "waits for a slot (3 of 3)"],
]);

export const nightlyLastLines: ReadonlyMap<string, string> = new Map([
  [`${name}.build(1)`, "[3/9] make -j4 all"],
  [`${name}.train(0:lr:0.1)`, "epoch 4/10 loss 0.412"],
  [`${name}.train(2:lr:0.01)`, "epoch 2/10 loss 0.977"],
]);
