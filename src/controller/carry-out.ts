/** Carrying out what a saved decision demands; what came of it goes back to the run as outcomes. */

import type { CreateResult, Demand, DemandOutcome } from "../core/engine/contract.js";
import type { WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { PersistentVolumeClaim } from "../core/model/kube/core.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import type { Pod } from "../core/model/kube/pod.js";
import type { ResourceType } from "../core/model/resources.js";
import { persistentVolumeClaims, pods, workflowTaskResults } from "../core/model/resources.js";
import { isOfEarlierRun, type WorkflowRun } from "../core/podlife/index.js";
import { unreachable } from "../core/std/assert.js";
import { messageOf } from "../core/std/message.js";
import type { Client, ObjectKey } from "../kube/client.js";
import { ApiError, isAlreadyExists, isNotFound } from "../kube/errors.js";
import { keyOf } from "../kube/key.js";
import { deletePrecondition } from "../kube/precondition.js";
import type { Caches } from "./caches.js";
import { viewOf } from "./pod-views.js";

export interface CarryOutPorts {
  readonly client: Client;
  readonly caches: Caches;
  /** Told of a pod that has a name which is wanted. What becomes of it is the pods' loop's to decide: it alone writes pods. */
  podInTheWay(uid: string): void;
}

/** Does one demand of a workflow's `current` run; never rejects. */
export async function carryOut(ports: CarryOutPorts, demand: Demand, current: WorkflowRun): Promise<DemandOutcome> {
  try {
    return await attempt(ports, demand, current);
  } catch (error) {
    return refusedOutcome(demand, error);
  }
}

function refusedOutcome(demand: Demand, error: unknown): DemandOutcome {
  switch (demand.kind) {
    case "create-pod":
      return podOutcome(demand, refusalOf(error));
    case "create-pvc":
      return claimOutcome(demand, refusalOf(error));
    case "delete-pvc":
      // Whatever was said against it: what is to go is asked for until it is gone.
      return {
        demand: "delete-pvc",
        name: demand.name,
        result: { kind: "refused-for-now", message: messageOf(error) },
      };
  }
}

function podOutcome({ nodeId, pod }: Extract<Demand, { kind: "create-pod" }>, result: CreateResult): DemandOutcome {
  return { demand: "create-pod", nodeId, podName: pod.metadata.name ?? "", result };
}

function claimOutcome({ claim }: Extract<Demand, { kind: "create-pvc" }>, result: CreateResult): DemandOutcome {
  return { demand: "create-pvc", name: claim.metadata.name ?? "", result };
}

async function attempt(ports: CarryOutPorts, demand: Demand, current: WorkflowRun): Promise<DemandOutcome> {
  switch (demand.kind) {
    case "create-pod":
      return podOutcome(demand, await createPod(ports, demand, current));
    case "create-pvc":
      return claimOutcome(demand, await createClaim(ports, demand.claim));
    case "delete-pvc":
      await deleteClaim(ports, demand);
      return { demand: "delete-pvc", name: demand.name, result: { kind: "gone" } };
    default:
      return unreachable(demand);
  }
}

async function createPod(
  ports: CarryOutPorts,
  { nodeId, pod }: Extract<Demand, { kind: "create-pod" }>,
  current: WorkflowRun,
): Promise<CreateResult> {
  const result = ports.caches.taskResult(controllerUid(pod) ?? "", nodeId);
  if (result !== undefined) {
    // The pod may be there already, and only the stream of pods be behind: then the result is its own, and is kept.
    const live = await readPod(ports.client, pod);
    if (live !== undefined) return meetExisting(ports, pod, live, current);
    await clear(ports, result);
  }
  const created = await tryCreate(ports, pods, pod);
  if (created !== "already-exists") return created;
  const live = await readPod(ports.client, pod);
  if (live === undefined) return { kind: "refused-for-now", message: `pod ${pod.metadata.name} is being replaced` };
  return meetExisting(ports, pod, live, current);
}

/** A result of an earlier run of the same node must not be taken for the new pod's (design law 2). */
async function clear({ client }: CarryOutPorts, result: WorkflowTaskResult): Promise<void> {
  // As it was seen: whoever reports from now on writes onto it.
  await client.delete(workflowTaskResults, keyOf(result), deletePrecondition(result)).catch(missingAsUndefined);
}

/** A pod of that name is there: ours already, or one of an earlier run that has to go first (design law 2). */
function meetExisting(ports: CarryOutPorts, wanted: Pod, live: Pod, current: WorkflowRun): CreateResult {
  const { name } = wanted.metadata;
  if (controllerUid(live) !== controllerUid(wanted)) {
    return { kind: "refused-for-now", message: `waits for pod ${name}, which is not this workflow's, to go` };
  }
  if (live.metadata.deletionTimestamp === undefined && !isOfEarlierRun(viewOf(live), current)) {
    ports.caches.awaitView(pods, live);
    return { kind: "created" };
  }
  ports.podInTheWay(live.metadata.uid ?? "");
  return { kind: "refused-for-now", message: `waits for pod ${name} of an earlier run` };
}

async function readPod(client: Client, wanted: Pod): Promise<Pod | undefined> {
  return client.get<Pod>(pods, keyOf(wanted)).catch(missingAsUndefined);
}

async function createClaim(ports: CarryOutPorts, claim: PersistentVolumeClaim): Promise<CreateResult> {
  const created = await tryCreate(ports, persistentVolumeClaims, claim);
  if (created !== "already-exists") return created;
  const { namespace = "", name = "" } = claim.metadata;
  const live = await liveClaim(ports, { namespace, name });
  if (live === undefined) return { kind: "refused-for-now", message: `claim ${name} is being replaced` };
  // One that an earlier pass made is ours (Argo 4.1 behaviour 3.19).
  if (controllerUid(live) === controllerUid(claim)) return { kind: "created" };
  return { kind: "refused", message: `${name} pvc already exists with different ownerreference` };
}

/** By its UID: what others have put in its place stays. */
async function deleteClaim(
  ports: CarryOutPorts,
  { namespace, name, workflowUid }: Extract<Demand, { kind: "delete-pvc" }>,
): Promise<void> {
  const live = await liveClaim(ports, { namespace, name });
  if (live === undefined || controllerUid(live) !== workflowUid) return;
  const { uid = "" } = live.metadata;
  const options = { preconditions: { uid }, propagationPolicy: "Background" } as const;
  await ports.client.delete(persistentVolumeClaims, { namespace, name }, options).catch(missingAsUndefined);
}

async function liveClaim({ client }: CarryOutPorts, key: ObjectKey): Promise<PersistentVolumeClaim | undefined> {
  return client.get<PersistentVolumeClaim>(persistentVolumeClaims, key).catch(missingAsUndefined);
}

async function tryCreate<T extends KubeObject>(
  { client }: CarryOutPorts,
  type: ResourceType,
  object: T,
): Promise<CreateResult | "already-exists"> {
  try {
    await client.create(type, object);
    return { kind: "created" };
  } catch (error) {
    if (isAlreadyExists(error)) return "already-exists";
    return refusalOf(error);
  }
}

/** Which refusals pass with time (Argo 4.1 behaviour 3.32); the others are final. */
function refusalOf(error: unknown): CreateResult {
  if (!(error instanceof ApiError)) return { kind: "refused-for-now", message: messageOf(error) };
  const passes =
    error.code >= 500 ||
    error.code === 429 ||
    error.code === 409 ||
    (error.code === 403 && error.message.includes("exceeded quota"));
  return { kind: passes ? "refused-for-now" : "refused", message: error.message };
}

function missingAsUndefined(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

/** UID of the controlling owner. */
export function controllerUid(object: KubeObject): string | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
}
