/** Watches the workflows of a run and their pods, and follows the logs of the steps. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { pods, workflows } from "../../core/model/resources.js";
import { type Change, Reflector, type ReflectorObserver } from "../../kube/reflector.js";
import type { PlaceHandle, Ports } from "../ports.js";
import { nodeIdOfPod } from "../print/pod-note.js";
import { templateBook } from "../print/templates.js";
import { Later } from "./later.js";
import { ownerUid, type RunState } from "./state.js";
import type { StepLogs } from "./step-logs.js";

export interface RunWatchPorts {
  readonly ports: Pick<Ports, "clock" | "chance">;
  readonly handle: PlaceHandle;
  readonly state: RunState;
  /** Undefined: nobody wants the logs. */
  readonly logs: StepLogs | undefined;
  readonly observer: ReflectorObserver;
}

export interface RunWatchSink {
  workflow(workflow: Workflow, before: Workflow | undefined): void;
  /** Any workflow of the place, also those of others. */
  anyWorkflow(workflow: Workflow, change: "changed" | "deleted"): void;
  pods(): void;
}

/** Begins at once; resolves when the first look is complete. Ends with `signal`. */
export async function startWatching(
  { ports, handle, state, logs, observer }: RunWatchPorts,
  sink: RunWatchSink,
  signal: AbortSignal,
): Promise<void> {
  const { client } = handle;
  const base = { client, clock: ports.clock, chance: ports.chance, observer };
  const workflowStream = new Reflector<Workflow>({ ...base, type: workflows });
  const podStream = new Reflector<Pod>({ ...base, type: pods });
  const later = new Later((error) => observer.faulted?.(error));
  let when: (callback: () => void) => void = (callback) => callback();
  workflowStream.addHandler({ changed: (change) => when(() => sawWorkflow(change)) });
  podStream.addHandler({ changed: (change) => when(() => sawPod(change)) });
  void workflowStream.run(signal);
  await workflowStream.synced;
  void podStream.run(signal);
  await podStream.synced;
  when = later.call;

  function sawWorkflow({ type, object }: Change<Workflow>): void {
    sink.anyWorkflow(object, type === "deleted" ? "deleted" : "changed");
    const seen = state.setWorkflow(type === "deleted" ? asDeleted(object) : object);
    if (seen !== undefined) sink.workflow(object, seen.before);
  }

  function sawPod({ type, object }: Change<Pod>): void {
    if (state.workflows.length > 0 && !isOurs(state, object)) return;
    if (type === "deleted") state.removePod(object);
    else state.setPod(object);
    if (logs !== undefined) followPod(logs, state, object);
    sink.pods();
  }
}

/** A workflow that somebody deleted while it ran has ended for us. */
function asDeleted(workflow: Workflow): Workflow {
  if (workflow.status?.finishedAt !== undefined) return workflow;
  const now = workflow.metadata.deletionTimestamp ?? workflow.metadata.creationTimestamp ?? "";
  return {
    ...workflow,
    status: { ...workflow.status, phase: "Error", message: "deleted while it ran", finishedAt: now },
  };
}

function isOurs(state: RunState, pod: Pod): boolean {
  const uid = ownerUid(pod);
  return state.workflows.some((workflow) => workflow.metadata.uid === uid);
}

/** The executor's own containers say nothing to the user. */
const NOT_STEPS: ReadonlySet<string> = new Set(["wait", "init", "supervisor"]);

function followPod(logs: StepLogs, state: RunState, pod: Pod): void {
  const nodeId = nodeIdOfPod(pod);
  if (nodeId === undefined || !state.isNew(pod)) return;
  const sidecars = sidecarNames(state, pod);
  for (const status of pod.status?.containerStatuses ?? []) {
    if (NOT_STEPS.has(status.name) || sidecars.has(status.name)) continue;
    if (status.state?.running === undefined && status.state?.terminated === undefined) continue;
    const ref = { namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "" };
    const step = state.labelOf(pod);
    const label = status.name === "main" ? step : `${step}/${status.name}`;
    logs.follow({ nodeId, pod: ref, podUid: pod.metadata.uid ?? "", container: status.name, label });
  }
}

function sidecarNames(state: RunState, pod: Pod): ReadonlySet<string> {
  const node = state.nodeOf(pod);
  const owner = state.ownerOf(pod);
  if (node === undefined || owner === undefined) return new Set();
  return new Set((templateBook(owner).of(node)?.sidecars ?? []).map((sidecar) => sidecar.name));
}
