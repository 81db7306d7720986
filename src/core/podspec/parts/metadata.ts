/** A pod's names, labels, annotations, owner and finalizer (Argo 4.1 behaviour 5.1). */

import { annotations, labels, podFinalizer } from "../../model/argo/names.js";
import type { PodGC } from "../../model/argo/workflow.js";
import { durationOfMs, formatDuration, type Nanoseconds, parseDurationOrSeconds } from "../../std/duration.js";
import { plain } from "../../std/plain.js";
import { type PodPart, withMetadata } from "../context.js";
import { kindIsContainerSet } from "../mains.js";
import type { PodRequest } from "../request.js";

const POD_GC_DELAY_DEFAULT_MS = 5_000;

/** Which pod it is: of which workflow, node and retry generation. */
export const identity: PodPart = (pod, { request, mains }) => {
  const { workflow, node } = request;
  return withMetadata(pod, {
    name: node.podName,
    namespace: workflow.namespace,
    labels: { [labels.workflow]: workflow.name, [labels.completed]: "false" },
    annotations: {
      [annotations.nodeName]: node.name,
      [annotations.nodeId]: node.id,
      [annotations.retryGeneration]: String(request.retryGeneration),
      [annotations.defaultContainer]: defaultContainer(request, mains),
      ...(request.template.name !== undefined && { [annotations.template]: request.template.name }),
      ...(request.template.daemon === true && { [annotations.daemon]: "true" }),
    },
  });
};

function defaultContainer(request: PodRequest, mains: readonly { readonly name: string }[]): string {
  if (!kindIsContainerSet(request.template)) return "main";
  return mains.find(({ name }) => name === "main")?.name ?? mains.at(-1)?.name ?? "main";
}

export const owner: PodPart = (pod, { request: { workflow } }) =>
  withMetadata(pod, {
    ownerReferences: [
      {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Workflow",
        name: workflow.name,
        uid: workflow.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  });

/** Only adding depends on the option; it is taken off whatever the options say. */
export const finalizer: PodPart = (pod, { request }) =>
  request.config.statusFinalizer ? withMetadata(pod, { finalizers: [podFinalizer] }) : pod;

export const exitHandlerLabel: PodPart = (pod, { request }) =>
  request.onExit ? addLabels(pod, { [labels.onExit]: "true" }) : pod;

export const instanceLabel: PodPart = (pod, { request: { config } }) =>
  config.instanceId === undefined ? pod : addLabels(pod, { [labels.instanceId]: config.instanceId });

/** `OnPodCompletion/5s`: what is to be done with the pod, should its workflow be gone by then. */
export const gcStrategy: PodPart = (pod, { request }) => {
  const { podGC } = request.spec;
  if (podGC === undefined) return pod;
  const text = `${podGC.strategy ?? ""}/${formatDuration(delayOf(podGC, request))}`;
  return addAnnotations(pod, { [annotations.podGCStrategy]: text });
};

function delayOf({ deleteDelayDuration }: PodGC, { config }: PodRequest): Nanoseconds {
  const named = deleteDelayDuration === undefined ? undefined : parseDurationOrSeconds(String(deleteDelayDuration));
  return named?.ok ? named.value : durationOfMs(config.podGCDeleteDelayMs ?? POD_GC_DELAY_DEFAULT_MS);
}

/** The workflow's first, then the template's; the later wins, over ours too, as with Argo. */
export const userMetadata: PodPart = (pod, { request: { spec, template } }) =>
  [spec.podMetadata, template.metadata].reduce(
    (current, metadata) => addAnnotations(addLabels(current, metadata?.labels), metadata?.annotations),
    pod,
  );

type PodObject = Parameters<PodPart>[0];
type Texts = Readonly<Record<string, string>> | undefined;

function addLabels(pod: PodObject, added: Texts): PodObject {
  if (added === undefined) return pod;
  return withMetadata(pod, { labels: { ...plain, ...pod.metadata.labels, ...added } });
}

function addAnnotations(pod: PodObject, added: Texts): PodObject {
  if (added === undefined) return pod;
  return withMetadata(pod, { annotations: { ...plain, ...pod.metadata.annotations, ...added } });
}

export const metadataParts: readonly PodPart[] = [
  identity,
  owner,
  finalizer,
  exitHandlerLabel,
  instanceLabel,
  gcStrategy,
  userMetadata,
];
