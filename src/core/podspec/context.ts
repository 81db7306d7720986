/** What the parts of a pod read: the request, and what was looked up for it beforehand. */

import type { UserContainer } from "../model/argo/template.js";
import type { Container, Pod, PodSpec } from "../model/kube/pod.js";
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
    return found === undefined ? pod : { ...pod, spec: { ...pod.spec, ...field(found) } };
  };
}

/** `pod` with `change` made to each of its step's own containers. */
export function changeMains(pod: Pod, { mains }: PodContext, change: (container: Container) => Container): Pod {
  const names = new Set(mains.map(({ name }) => name));
  const containers = pod.spec.containers.map((one) => (names.has(one.name) ? change(one) : one));
  return { ...pod, spec: { ...pod.spec, containers } };
}

/** `pod` with `change` made to every container and init container. */
export function changeAll(pod: Pod, change: (container: Container) => Container): Pod {
  const { initContainers } = pod.spec;
  const spec = { ...pod.spec, containers: pod.spec.containers.map(change) };
  return {
    ...pod,
    spec: initContainers === undefined ? spec : { ...spec, initContainers: initContainers.map(change) },
  };
}
