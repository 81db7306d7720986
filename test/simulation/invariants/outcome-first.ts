/** I5: a pod that ended is let go only when its exit code and outputs stand in the saved workflow; and only when it ended. */

import { viewOf } from "../../../src/controller/pod-views.js";
import { annotations, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow, WorkflowTaskResult } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../../../src/core/model/resources.js";
import { isLostWithHost } from "../../../src/core/podlife/index.js";
import type { World } from "../world/world.js";
import type { Fail, MakeInvariant } from "./invariant.js";

interface Dog {
  readonly world: World;
  readonly fail: Fail;
  /** The last report of each node that was ever seen, by {@link reportKey}: what deletes it must not lose it. */
  readonly reports: ReadonlyMap<string, WorkflowTaskResult>;
}

const finalPhases: readonly (string | undefined)[] = ["Succeeded", "Failed", "Error", "Skipped", "Omitted"];

export const outcomeFirst: MakeInvariant = (world, fail) => {
  const workflowsNow = new Map<string, Workflow>();
  const reports = new Map<string, WorkflowTaskResult>();

  function remember(type: ResourceType, uid: string, after: KubeObject | undefined): void {
    if (type === workflowTaskResults && after !== undefined) keepReport(reports, after);
    if (type !== workflows) return;
    if (after === undefined) workflowsNow.delete(uid);
    else workflowsNow.set(uid, after as Workflow);
  }

  return {
    event: ({ type, before, after }) => {
      remember(type, (after ?? before)?.metadata.uid ?? "", after);
      if (type !== pods || before === undefined || !isOurs(before) || (after !== undefined && isOurs(after))) return;
      const pod = before as Pod;
      const owner = viewOf(pod).ownerUid;
      const workflow = owner === undefined ? undefined : workflowsNow.get(owner);
      letGo({ world, fail, reports }, pod, workflow);
    },
  };
};

function isOurs({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(podFinalizer) ?? false;
}

function letGo(dog: Dog, pod: Pod, workflow: Workflow | undefined): void {
  const { world, fail } = dog;
  const view = viewOf(pod);
  const hasStarted = world.machine.starts.some((start) => start.pod.metadata.uid === view.uid);
  // Never bound, for all that the API shows: there was nothing to wait for (design 4).
  const isBound = (view.hostNodeName ?? pod.spec.nodeName) !== undefined;
  if (!hasStarted || !isBound) return;
  const hasEnded = view.phase === "Succeeded" || view.phase === "Failed";
  if (hasEnded) outcomeIsSaved(dog, pod, workflow);
  else if (!isSavedAsLost(world, pod, workflow)) fail(`pod ${view.name} was let go while it was ${view.phase}`);
}

function outcomeIsSaved(dog: Dog, pod: Pod, workflow: Workflow | undefined): void {
  const view = viewOf(pod);
  if (workflow === undefined || !isWaitedFor(pod, workflow)) return;
  const node = workflow.status?.nodes?.[view.nodeId];
  if (node === undefined) return;
  if (finalPhases.includes(node.phase)) compareOutcome(dog, pod, { node, workflow });
  else dog.fail(`pod ${view.name} was let go, its node ${node.name} is ${node.phase}`);
}

/** Its machine does not answer, long after it was told to end it: the workflow says so, or had ended it before (design 4). */
function isSavedAsLost(world: World, pod: Pod, workflow: Workflow | undefined): boolean {
  const { metadata } = pod;
  const due = Date.parse(metadata.deletionTimestamp ?? "");
  const isOverdue = latestClock(world) > due;
  if (!isOverdue || world.options.controller?.hosts !== "leased" || !world.cluster.mayCountAsLost(pod)) return false;
  if (workflow === undefined || !isWaitedFor(pod, workflow)) return true;
  const node = workflow.status?.nodes?.[metadata.annotations?.[annotations.nodeId] ?? ""];
  return node === undefined || finalPhases.includes(node.phase);
}

/** What is overdue is told by the clock of whoever lets go; that may be ahead. */
function latestClock({ clock, components }: World): number {
  const own = components.controllerRoles.map((role) => components.process(role)?.clock.now() ?? clock.now());
  return Math.max(clock.now(), ...own);
}

/** Whether the workflow still has to learn what became of the pod. */
function isWaitedFor(pod: Pod, workflow: Workflow): boolean {
  const { metadata, status } = workflow;
  const isGoing = metadata.deletionTimestamp !== undefined || finalPhases.includes(status?.phase);
  return !isGoing && generationOf(pod) >= generationOf(workflow);
}

function keepReport(reports: Map<string, WorkflowTaskResult>, result: WorkflowTaskResult): void {
  const { metadata } = result;
  for (const { uid } of metadata.ownerReferences ?? []) reports.set(reportKey(uid, metadata.name, result), result);
}

/** Of one run of the node: a retry of the workflow begins another. */
function reportKey(ownerUid: string | undefined, nodeId: string | undefined, run: KubeObject): string {
  return `${ownerUid}/${nodeId}/${generationOf(run)}`;
}

interface SavedNode {
  readonly node: NodeStatus;
  /** As it was saved with it. */
  readonly workflow: Workflow;
}

function compareOutcome({ fail, reports }: Dog, pod: Pod, { node, workflow }: SavedNode): void {
  const main = pod.status?.containerStatuses?.find(({ name }) => name === "main");
  const exitCode = main?.state?.terminated?.exitCode;
  const saved = node.outputs?.exitCode;
  if (saved !== undefined && exitCode !== undefined && saved !== String(exitCode))
    fail(`node ${node.name} was saved with exit code ${saved}, its main ended with ${exitCode}`);
  const reported = reports.get(reportKey(viewOf(pod).ownerUid, node.id, pod));
  const lost = reported?.outputs?.parameters?.find(({ name, value }) => savedOutput(node, name) !== value);
  if (lost === undefined || isErrorOfHook(node, workflow)) return;
  // With all of its outputs saved it was made an Error later; or it was reported too late.
  if (node.phase === "Error" && pod.status?.phase === "Succeeded" && !isLostWithHost(node))
    fail(`node ${node.name} is Error (${node.message}), though its pod succeeded and reported`);
  if (node.phase === "Succeeded")
    fail(
      `output ${lost.name} of node ${node.name} was reported as ${lost.value}, saved as ${savedOutput(node, lost.name)}`,
    );
}

/** A hook that could not begin made an Error of it, maybe before it had ended (Argo 4.1 behaviour 3.11). */
function isErrorOfHook({ phase, message, children = [] }: NodeStatus, { status }: Workflow): boolean {
  const hooks = children.map((id) => status?.nodes?.[id]).filter((child) => child?.nodeFlag?.hooked === true);
  return phase === "Error" && hooks.some((hook) => hook?.phase === "Error" && hook.message === message);
}

function savedOutput({ outputs }: NodeStatus, parameter: string): string | undefined {
  return outputs?.parameters?.find(({ name }) => name === parameter)?.value;
}

function generationOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[annotations.retryGeneration] ?? "0");
}
