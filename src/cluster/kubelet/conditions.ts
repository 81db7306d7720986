/** The conditions of a pod that has a node: Initialized, Ready, ContainersReady, PodScheduled (Kubernetes' texts). */

import type { ContainerStatus, Pod, PodCondition, PodPhase } from "../../core/model/kube/pod.js";
import { isPodOver } from "../../core/model/kube/pod-phase.js";
import { isSidecar } from "./pod-state.js";
import { kubeTime } from "./time.js";

export interface ConditionsInput {
  readonly pod: Pod;
  readonly phase: PodPhase;
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  readonly now: number;
  /** As printed last; the time of a condition that keeps its status is kept. */
  readonly previous: readonly PodCondition[];
}

type Verdict = Pick<PodCondition, "status" | "reason" | "message">;

const yes: Verdict = { status: "True" };

export function conditionsOf(input: ConditionsInput): readonly PodCondition[] {
  const ready = readiness(input);
  const verdicts: readonly (readonly [string, Verdict])[] = [
    ["PodReadyToStartContainers", isPodOver(input.phase) ? { status: "False" } : yes],
    ["Initialized", initialization(input)],
    ["Ready", ready],
    ["ContainersReady", ready],
    ["PodScheduled", yes],
  ];
  return verdicts.map(([type, verdict]) => {
    const before = input.previous.find((one) => one.type === type);
    const kept = before?.status === verdict.status ? before.lastTransitionTime : undefined;
    if (before !== undefined && kept !== undefined && saysSame(before, verdict)) return before;
    return { type, ...verdict, lastTransitionTime: kept ?? kubeTime(input.now) };
  });
}

function saysSame(before: PodCondition, verdict: Verdict): boolean {
  return before.reason === verdict.reason && before.message === verdict.message;
}

function initialization(input: ConditionsInput): Verdict {
  const specs = input.pod.spec.initContainers ?? [];
  const incomplete = input.init.filter((one, index) => {
    const spec = specs[index];
    return spec !== undefined && isSidecar(spec) ? one.started !== true && one.restartCount === 0 : !one.ready;
  });
  if (input.phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  if (incomplete.length === 0) return yes;
  return no("ContainersNotInitialized", `containers with incomplete status: ${names(incomplete)}`);
}

function readiness(input: ConditionsInput): Verdict {
  if (input.phase === "Succeeded") return no("PodCompleted");
  if (input.phase === "Failed") return no("PodFailed");
  const specs = input.pod.spec.initContainers ?? [];
  const sidecars = input.init.filter((_, index) => specs[index]?.restartPolicy === "Always");
  const unready = [...sidecars, ...input.main].filter((one) => !one.ready);
  if (unready.length === 0) return yes;
  return no("ContainersNotReady", `containers with unready status: ${names(unready)}`);
}

function no(reason: string, message?: string): Verdict {
  return { status: "False", reason, ...(message === undefined ? {} : { message }) };
}

/** Go prints a list of names as `[a b]`. */
function names(statuses: readonly ContainerStatus[]): string {
  return `[${statuses.map((one) => one.name).join(" ")}]`;
}
