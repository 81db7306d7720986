/** What the parts of a pod read: the request, and what was looked up for it beforehand. */

import type { UserContainer } from "../model/argo/template.js";
import type { Container, Pod, PodSpec } from "../model/kube/pod.js";
import { plain } from "../std/plain.js";
import type { PodRequest } from "./request.js";

export interface PodContext {
  readonly request: PodRequest;
  /** The step's own containers: named, with a command, without the layout's additions. */
  readonly mains: readonly Container[];
  readonly sidecars: readonly UserContainer[];
  readonly initContainers: readonly UserContainer[];
  /** Whole seconds after its start at which the pod is ended. */
  readonly activeDeadlineSeconds: number | undefined;
}

/** Adds one thing to a pod. Parts never fail: what can be wrong was found before the first of them. */
export type PodPart = (pod: Pod, context: PodContext) => Pod;

/** The part that sets what `value` finds in the context, and nothing where it finds nothing. */
export function specField<T>(
  value: (context: PodContext) => T | undefined,
  field: (value: T) => Partial<PodSpec>,
): PodPart {
  return (pod, context) => {
    const found = value(context);
    return found === undefined ? pod : withSpec(pod, field(found));
  };
}

/** `pod` with fields of its spec set. */
export function withSpec(pod: Pod, fields: Partial<PodSpec>): Pod {
  return { ...plain, ...pod, spec: { ...plain, ...pod.spec, ...fields } };
}

/** `pod` with fields of its metadata set. */
export function withMetadata(pod: Pod, fields: Pod["metadata"]): Pod {
  return { ...plain, ...pod, metadata: { ...plain, ...pod.metadata, ...fields } };
}

/** `pod` with `change` made to each of its step's own containers. */
export function changeMains(pod: Pod, { mains }: PodContext, change: (container: Container) => Container): Pod {
  const names = new Set(mains.map(({ name }) => name));
  const containers = pod.spec.containers.map((one) => (names.has(one.name) ? change(one) : one));
  return withSpec(pod, { containers });
}

/** `pod` with `change` made to every container and init container. */
export function changeAll(pod: Pod, change: (container: Container) => Container): Pod {
  const { initContainers } = pod.spec;
  return withSpec(pod, {
    containers: pod.spec.containers.map(change),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(change) }),
  });
}
