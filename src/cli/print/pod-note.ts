/** What a pod that does not run yet waits for, in the words of its status. */

import { annotations } from "../../core/model/argo/names.js";
import type { ContainerStatus, Pod } from "../../core/model/kube/pod.js";

/** Reasons that only say "soon": no note for them. */
const QUIET = new Set(["ContainerCreating", "PodInitializing"]);

/** Of a reason or message: it says no more than "soon". */
export function isQuiet(text: string): boolean {
  return QUIET.has(text);
}

/** `waits for a slot (8 of 8)`, `pulling 43 %`, `secret "db" not found`; empty when there is nothing to say. */
export function podNote(pod: Pod): string {
  const status = pod.status;
  if (status === undefined) return "";
  const unscheduled = status.conditions?.find(
    (condition) => condition.type === "PodScheduled" && condition.status === "False",
  );
  if (unscheduled?.message) return unscheduled.message;
  if (status.phase === "Running") return waitsToBeReady(pod) ? "waits until it is ready" : "";
  if (status.phase !== "Pending") return "";
  const waiting = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].find(waitsAloud);
  return waiting?.state?.waiting?.message || waiting?.state?.waiting?.reason || status.message || "";
}

/** A daemon counts as running when its readiness probes have said yes. */
function waitsToBeReady({ spec, status }: Pod): boolean {
  const probed = new Set(spec.containers.filter((one) => one.readinessProbe !== undefined).map(({ name }) => name));
  return (status?.containerStatuses ?? []).some(
    ({ name, ready, state }) => probed.has(name) && ready === false && state?.running !== undefined,
  );
}

function waitsAloud(status: ContainerStatus): boolean {
  const waiting = status.state?.waiting;
  if (waiting === undefined) return false;
  return Boolean(waiting.message) || (waiting.reason !== undefined && !isQuiet(waiting.reason));
}

/** The node that a pod belongs to; undefined for pods of nobody. */
export function nodeIdOfPod(pod: Pod): string | undefined {
  return pod.metadata.annotations?.[annotations.nodeId];
}

/** The pod waits for one of the place's slots. */
export function waitsForSlot(pod: Pod): boolean {
  return podNote(pod).startsWith("waits for a slot");
}
