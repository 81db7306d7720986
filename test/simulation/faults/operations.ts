/** What people do to workflows, done as the command line does it: read, change, write on condition. */

import { annotations, labels } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import { podNameOfNode, resume, retry, set, stop, suspend, terminate } from "../../../src/core/operations/index.js";
import type { Result } from "../../../src/core/std/result.js";
import { isConflict, isNotFound } from "../../../src/kube/errors.js";
import { keyOf } from "../../../src/kube/key.js";
import type { World } from "../world/world.js";
import type { WorkflowOperation } from "./fault.js";

const TRIES_MAX = 5;

type Operate = (world: World, workflow: Workflow) => Promise<boolean>;
type Next = (workflow: Workflow, now: number) => Result<Workflow, string>;

const asCommand =
  (next: Next): Operate =>
  async (world, workflow) =>
    (await change(world, workflow, (live) => next(live, world.clock.now()))) !== undefined;

const operations: Readonly<Record<WorkflowOperation, Operate>> = {
  stop: asCommand((workflow, now) => stop(workflow, { now })),
  terminate: asCommand(terminate),
  suspend: asCommand(suspend),
  resume: asCommand((workflow, now) => resume(workflow, { now })),
  set: asCommand((workflow, now) =>
    set(workflow, { nodeFieldSelector: "phase=Running", change: { phase: "Succeeded", message: "set" }, now }),
  ),
  retry: retryWorkflow,
  annotate: (world, workflow) =>
    patch(world, workflow, { annotations: { "foreign.example/note": String(world.clock.now()) } }),
  "malformed-labels": (world, workflow) =>
    patch(world, workflow, { labels: { [labels.phase]: "Nonsense", "foreign.example/colour": "blue" } }),
  "malformed-annotations": (world, workflow) =>
    patch(world, workflow, {
      annotations: { [annotations.podGCStrategy]: "nonsense//", "foreign.example/bad": "{" },
    }),
  "foreign-finalizer": hold,
  "delete-background": (world, workflow) => remove(world, workflow, "Background"),
  "delete-foreground": (world, workflow) => remove(world, workflow, "Foreground"),
  "delete-orphan": (world, workflow) => remove(world, workflow, "Orphan"),
};

/** Answers whether it was done; rejects while the server is down. */
export async function operate(world: World, index: number, operation: WorkflowOperation): Promise<boolean> {
  const workflow = world.workflowAt(index);
  if (workflow === undefined) return false;
  world.history.add("user", () => `${operation} of workflow ${workflow.metadata.name}`);
  return operations[operation](world, workflow);
}

async function change(
  world: World,
  workflow: Workflow,
  next: (live: Workflow) => Result<Workflow, string>,
): Promise<Workflow | undefined> {
  const client = world.outside();
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    try {
      const live = await client.get<Workflow>(workflows, keyOf(workflow));
      const result = next(live);
      if (!result.ok) {
        world.history.add("user", () => `refused: ${result.error}`);
        return undefined;
      }
      return await client.update(workflows, result.value);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
  }
  return undefined;
}

/** The pods of the nodes that run again are deleted, by UID. */
async function retryWorkflow(world: World, workflow: Workflow): Promise<boolean> {
  const client = world.outside();
  let names: readonly string[] = [];
  const done = await change(world, workflow, (live) => {
    const retried = retry(live, { now: world.clock.now() });
    if (!retried.ok) return retried;
    names = retried.value.deletedNodes
      .filter(({ type }) => type === "Pod")
      .map((node) => podNameOfNode(live.metadata.name ?? "", node));
    return { ok: true, value: retried.value.workflow };
  });
  if (done === undefined) return false;
  for (const name of names) {
    const pod = world.truth.pods().find((one) => one.metadata.name === name);
    if (pod === undefined) continue;
    const preconditions = { uid: pod.metadata.uid ?? "" };
    await client.delete(pods, keyOf(pod), { preconditions }).catch(() => undefined);
  }
  return true;
}

async function remove(
  world: World,
  workflow: Workflow,
  propagationPolicy: "Background" | "Foreground" | "Orphan",
): Promise<boolean> {
  await world.outside().delete(workflows, keyOf(workflow), { propagationPolicy });
  return true;
}

/** First in the list, as another controller may put it. */
async function hold(world: World, { metadata }: Workflow): Promise<boolean> {
  const { uid = "", resourceVersion = "", name = "", namespace = "default", finalizers = [] } = metadata;
  const body = { metadata: { uid, resourceVersion, finalizers: ["foreign.example/hold", ...finalizers] } };
  await world.outside().patch(workflows, { namespace, name }, { type: "merge", body });
  return true;
}

async function patch(
  world: World,
  workflow: Workflow,
  metadata: { readonly [field: string]: Readonly<Record<string, string>> },
): Promise<boolean> {
  await world.outside().patch(workflows, keyOf(workflow), { type: "merge", body: { metadata } });
  return true;
}
