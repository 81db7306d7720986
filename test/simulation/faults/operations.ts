/** What people do to workflows, done as the command line does it: read, change, write on condition. */

import { labels } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import { podNameOfNode, resume, retry, stop, suspend, terminate } from "../../../src/core/operations/index.js";
import type { Result } from "../../../src/core/std/result.js";
import { isConflict, isNotFound } from "../../../src/kube/errors.js";
import { keyOf } from "../../../src/kube/key.js";
import type { World } from "../world/world.js";
import type { WorkflowOperation } from "./fault.js";

const TRIES_MAX = 5;

/** Answers whether it was done; rejects while the server is down. */
export async function operate(world: World, index: number, operation: WorkflowOperation): Promise<boolean> {
  const workflow = world.workflowAt(index);
  if (workflow === undefined) return false;
  world.history.add("user", () => `${operation} of workflow ${workflow.metadata.name}`);
  switch (operation) {
    case "delete-background":
    case "delete-foreground":
    case "delete-orphan":
      return remove(world, workflow, operation);
    case "annotate":
      return patch(world, workflow, { annotations: { "foreign.example/note": String(world.clock.now()) } });
    case "malformed-labels":
      return patch(world, workflow, { labels: { [labels.phase]: "Nonsense", "foreign.example/colour": "blue" } });
    case "retry":
      return retryWorkflow(world, workflow);
    case "stop":
    case "terminate":
    case "suspend":
    case "resume":
      return (await change(world, workflow, (live) => changed(live, operation, world.clock.now()))) !== undefined;
  }
}

function changed(
  workflow: Workflow,
  operation: "stop" | "terminate" | "suspend" | "resume",
  now: number,
): Result<Workflow, string> {
  switch (operation) {
    case "stop":
      return stop(workflow, { now });
    case "terminate":
      return terminate(workflow);
    case "suspend":
      return suspend(workflow);
    case "resume":
      return resume(workflow, { now });
  }
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
  operation: "delete-background" | "delete-foreground" | "delete-orphan",
): Promise<boolean> {
  const policies = {
    "delete-background": "Background",
    "delete-foreground": "Foreground",
    "delete-orphan": "Orphan",
  } as const;
  await world.outside().delete(workflows, keyOf(workflow), { propagationPolicy: policies[operation] });
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
