/** Pod -> PodView: takes out of a pod what decides, and nothing else. */

import { annotations as annotationNames } from "../model/argo/names.js";
import type { IntOrString } from "../model/kube/meta.js";
import type { Container, ContainerState, ContainerStatus, Pod, PodCondition } from "../model/kube/pod.js";
import { generationIn } from "./generation.js";
import type { ContainerView, ContainerViewState, PodView } from "./view.js";

const DEFAULT_GRACE_SECONDS = 30;

/** Total: a malformed label or annotation is carried as text and never makes it fail (lessons A-34). */
export function viewPod(pod: Pod): PodView {
  const { metadata, spec, status } = pod;
  const annotations = metadata.annotations ?? {};
  return {
    uid: metadata.uid ?? "",
    name: metadata.name ?? "",
    namespace: metadata.namespace ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    nodeId: annotations[annotationNames.nodeId] ?? metadata.name ?? "",
    ownerUid: ownerUidOf(pod),
    retryGeneration: generationIn(metadata),
    createdAt: metadata.creationTimestamp,
    phase: status?.phase ?? "Pending",
    reason: nonEmpty(status?.reason),
    message: nonEmpty(status?.message),
    podIP: nonEmpty(status?.podIP),
    hostNodeName: nonEmpty(spec.nodeName),
    nominatedNodeName: nonEmpty(status?.nominatedNodeName),
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS,
    conditions: (status?.conditions ?? []).map(conditionOf),
    initContainers: containersOf(spec.initContainers ?? [], status?.initContainerStatuses ?? [], pod),
    containers: containersOf(spec.containers, status?.containerStatuses ?? [], pod),
    finalizers: metadata.finalizers ?? [],
    labels: metadata.labels ?? {},
    annotations,
  };
}

function ownerUidOf(pod: Pod): string | undefined {
  const owner = (pod.metadata.ownerReferences ?? []).find((reference) => reference.controller === true);
  return owner?.kind === "Workflow" && owner.apiVersion.startsWith("argoproj.io/") ? owner.uid : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function conditionOf({ type, status, reason, message }: PodCondition): PodView["conditions"][number] {
  return { type, status, reason, message };
}

/** In the order of the statuses (failure messages depend on it), then those the kubelet has not told of yet. */
function containersOf(
  specs: readonly Container[],
  statuses: readonly ContainerStatus[],
  pod: Pod,
): readonly ContainerView[] {
  if (specs.length === 0 && statuses.length === 0) return [];
  const bearer = podLevelBearer(specs, pod);
  const containerOf = (name: string, spec: Container | undefined, status: ContainerStatus | undefined) => {
    const resources = name === bearer ? pod.spec.resources : spec?.resources;
    return {
      name,
      ready: status?.ready ?? false,
      restartCount: status?.restartCount ?? 0,
      state: stateOf(status?.state),
      requests: quantitiesOf(resources?.requests),
      limits: quantitiesOf(resources?.limits),
    };
  };
  const told = statuses.map((status) => {
    const spec = specs.find(({ name }) => name === status.name);
    return containerOf(status.name, spec, status);
  });
  const untold = specs.filter((spec) => !statuses.some(({ name }) => name === spec.name));
  return [...told, ...untold.map((spec) => containerOf(spec.name, spec, undefined))];
}

/** Pod-level resources are counted once, on the first container without its own (Argo 4.1 behaviour 3.23). */
function podLevelBearer(specs: readonly Container[], pod: Pod): string | undefined {
  if (pod.spec.resources === undefined) return undefined;
  return specs.find((spec) => spec.resources?.requests === undefined && spec.resources?.limits === undefined)?.name;
}

const noQuantities = {};

function quantitiesOf(list: Readonly<Record<string, IntOrString>> | undefined): Readonly<Record<string, string>> {
  if (list === undefined) return noQuantities;
  return Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, String(quantity)]));
}

function stateOf(state: ContainerState | undefined): ContainerViewState {
  if (state?.terminated !== undefined) {
    const { exitCode, reason, message, startedAt, finishedAt } = state.terminated;
    return { kind: "terminated", exitCode, reason: reason ?? "", message: message ?? "", startedAt, finishedAt };
  }
  if (state?.running !== undefined) return { kind: "running", startedAt: state.running.startedAt ?? "" };
  if (state?.waiting !== undefined) {
    return { kind: "waiting", reason: state.waiting.reason ?? "", message: state.waiting.message ?? "" };
  }
  return { kind: "unknown" };
}
