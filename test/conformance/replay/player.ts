/** The fake pods of a recording: each does in virtual time what its counterpart did, and reports as the executor would. */

import type { TaskResultView } from "../../../src/core/engine/contract.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Outputs } from "../../../src/core/model/argo/template.js";
import type { ContainerState, ContainerStatus, Pod, PodStatus } from "../../../src/core/model/kube/pod.js";
import { viewPod } from "../../../src/core/podlife/index.js";
import type { PodView } from "../../../src/core/podlife/view.js";
import type { PodOutcome } from "./recording.js";
import { templateOf } from "./template-of.js";

/** Something the engine is shown, and when. */
export interface Sight {
  readonly at: number;
  readonly view: PodView;
  readonly result?: TaskResultView;
}

interface LivePod {
  readonly pod: Pod;
  readonly outcome: PodOutcome;
  readonly createdAt: number;
  endsAt: number | undefined;
  ended: boolean;
}

const UNBOUND = undefined;

/** What the kubelet makes of a pod that is active for longer than its spec allows. */
const deadlineExceeded = {
  exitCode: 137,
  podReason: "DeadlineExceeded",
  podMessage: "Pod was active on the node longer than the specified deadline",
};

export class PodPlayer {
  private readonly live = new Map<string, LivePod>();
  private serial = 0;

  constructor(
    private readonly outcomes: readonly PodOutcome[],
    /** The host name pods are bound to; undefined where the recording never scheduled them. */
    private readonly hostName: string | undefined = UNBOUND,
  ) {}

  /** The pod exists from now on. Answers what is seen of it, in order. */
  create(nodeId: string, pod: Pod, now: number): readonly Sight[] {
    const outcome = this.outcomeOf(pod);
    const created = this.stamped(pod, now);
    const live: LivePod = { pod: created, outcome, createdAt: now, endsAt: undefined, ended: false };
    this.live.set(nodeId, live);
    if (outcome.daemon === true) return [{ at: now, view: this.view(live, now, "ready") }];
    const durationMs = secondsOf(outcome.duration) * 1000;
    const limitMs = (pod.spec.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    live.endsAt = now + Math.min(durationMs, limitMs);
    if (limitMs < durationMs) Object.assign(live, { outcome: { ...outcome, ...deadlineExceeded } });
    return durationMs === 0 ? [] : [{ at: now, view: this.view(live, now, "running") }];
  }

  /** The next moment a pod ends by itself. */
  nextEnd(): number | undefined {
    const ends = [...this.live.values()].flatMap((live) =>
      live.ended || live.endsAt === undefined ? [] : [live.endsAt],
    );
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /** What is seen of pods that end at or before `now`, in order of their creation. */
  due(now: number): readonly Sight[] {
    return [...this.live.entries()].flatMap(([nodeId, live]) => {
      if (live.ended || live.endsAt === undefined || live.endsAt > now) return [];
      return [this.end(nodeId, live, live.endsAt)];
    });
  }

  /** Ends pods whose node is settled though they run: what the controller's clean-up does to them. */
  endSettled(node: (id: string) => NodeStatus | undefined, now: number): void {
    for (const [nodeId, live] of this.live) {
      if (live.ended || !isSettled(node(nodeId))) continue;
      live.endsAt = now;
      // A daemon's recorded exit code is already that of the signal.
      if (live.outcome.signalled !== true) Object.assign(live, { outcome: { ...live.outcome, exitCode: 143 } });
    }
  }

  /** Every pod there is, as it looks now: what a fresh start would observe. */
  everything(now: number): readonly Sight[] {
    return [...this.live.entries()].map(([nodeId, live]) => ({
      at: now,
      view: this.view(live, now, live.ended ? "ended" : live.outcome.daemon === true ? "ready" : "running"),
      ...(live.ended && { result: this.resultOf(nodeId, live) }),
    }));
  }

  podNames(): readonly string[] {
    return [...this.live.values()].map((live) => live.pod.metadata.name ?? "").sort();
  }

  private end(nodeId: string, live: LivePod, at: number): Sight {
    live.ended = true;
    return { at, view: this.view(live, at, "ended"), result: this.resultOf(nodeId, live) };
  }

  private outcomeOf(pod: Pod): PodOutcome {
    const name = pod.metadata.name ?? "";
    const recorded = this.outcomes.find((outcome) => outcome.pod === name && outcome.type === "pod");
    return recorded ?? { pod: name, node: "", template: "", type: "pod", attempt: 0, exitCode: 0 };
  }

  private stamped(pod: Pod, now: number): Pod {
    this.serial++;
    const metadata = {
      ...pod.metadata,
      uid: `pod-${this.serial}`,
      resourceVersion: "1",
      creationTimestamp: timeText(now),
    };
    return { ...pod, metadata };
  }

  private view(live: LivePod, now: number, stage: Stage): PodView {
    const { pod } = live;
    const spec = this.hostName === undefined ? pod.spec : { ...pod.spec, nodeName: this.hostName };
    return viewPod({ ...pod, spec, status: statusOf(live, now, stage) });
  }

  private resultOf(nodeId: string, live: LivePod): TaskResultView {
    const completed = live.outcome.waitExit !== 137;
    const outputs = (live.outcome.waitExit ?? 0) === 0 ? outputsOf(live) : undefined;
    return { nodeId, outputs, progress: undefined, completed, final: true };
  }
}

type Stage = "running" | "ready" | "ended";

function isSettled(node: NodeStatus | undefined): boolean {
  if (node === undefined) return true;
  const phase = node.phase;
  return phase === "Succeeded" || phase === "Failed" || phase === "Error" || phase === "Skipped" || phase === "Omitted";
}

function statusOf(live: LivePod, now: number, stage: Stage): PodStatus {
  const { outcome, pod } = live;
  const startedAt = timeText(live.createdAt);
  const finishedAt = timeText(now);
  const running: ContainerState = { running: { startedAt } };
  const ended = (exitCode: number, message?: string): ContainerState => ({
    terminated: {
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
      startedAt,
      finishedAt,
      ...(message !== undefined && exitCode !== 0 && { message }),
    },
  });
  const state = (exitCode: number, message?: string): ContainerState =>
    stage === "ended" ? ended(exitCode, message) : running;
  const container = (name: string, of: ContainerState): ContainerStatus => ({
    name,
    image: "",
    imageID: "",
    ready: stage === "ready",
    restartCount: 0,
    state: of,
  });
  const others = pod.spec.containers.filter((one) => one.name !== "wait" && one.name !== "main");
  const waitExit = outcome.waitExit ?? 0;
  const initFailed = (outcome.initExit ?? 0) !== 0;
  const waiting: ContainerState = { waiting: { reason: "PodInitializing" } };
  return {
    phase: phaseOf(outcome, stage),
    podIP: "10.0.0.1",
    ...(stage === "ended" && outcome.podReason !== undefined && { reason: outcome.podReason }),
    ...(stage === "ended" && outcome.podMessage !== undefined && { message: outcome.podMessage }),
    initContainerStatuses: [container("init", ended(outcome.initExit ?? 0, outcome.message))],
    containerStatuses: [
      container("wait", initFailed ? waiting : state(waitExit, outcome.message)),
      container("main", initFailed ? waiting : state(outcome.exitCode, outcome.message)),
      ...others.map((one) => container(one.name, state(0))),
    ],
  };
}

function phaseOf({ exitCode, waitExit, initExit }: PodOutcome, stage: Stage): "Running" | "Succeeded" | "Failed" {
  if (stage !== "ended") return "Running";
  return [exitCode, waitExit, initExit].every((code) => (code ?? 0) === 0) ? "Succeeded" : "Failed";
}

function outputsOf(live: LivePod): Outputs | undefined {
  const { outcome, pod } = live;
  const template = templateOf(pod);
  const artifacts = (template?.outputs?.artifacts ?? []).filter(
    (one) => outcome.artifacts?.includes(one.name) ?? false,
  );
  const logs: readonly Artifact[] =
    template?.archiveLocation?.archiveLogs === true
      ? [{ name: "main-logs", s3: { key: `${template.archiveLocation.s3?.key ?? ""}/main.log` } }]
      : [];
  const saved = [...artifacts.map((one) => located(one, pod)), ...logs];
  const parameters = (template?.outputs?.parameters ?? []).flatMap((one) => {
    const value = outcome.params?.[one.name];
    return value === undefined ? [] : [{ ...one, value }];
  });
  const captured = pod.spec.containers.some((one) =>
    one.env?.some((variable) => variable.name === "ARGO_INCLUDE_SCRIPT_OUTPUT" && variable.value === "true"),
  );
  const outputs: Outputs = {
    ...(parameters.length > 0 && { parameters }),
    ...(saved.length > 0 && { artifacts: saved }),
    ...(captured && outcome.exitCode === 0 && { result: outcome.result ?? "" }),
    ...(captured && outcome.exitCode !== 0 && outcome.result !== undefined && { result: outcome.result }),
  };
  return Object.keys(outputs).length === 0 ? undefined : outputs;
}

type Artifact = NonNullable<Outputs["artifacts"]>[number];

/** As the executor reports it: the location with the key it was saved under. */
function located(declared: Artifact, pod: Pod): Artifact {
  const artifact =
    declared.path === undefined ? declared : { ...declared, path: declared.path.replace(/(.)\/+$/, "$1") };
  const archive = templateOf(pod)?.archiveLocation;
  const key = archive?.s3?.key;
  if (key === undefined || artifact.s3 !== undefined || artifact.raw !== undefined) return artifact;
  const file = artifact.archive?.none
    ? (artifact.path ?? "").split("/").pop()
    : `${artifact.name}.${artifact.archive?.zip ? "zip" : "tgz"}`;
  return { ...artifact, s3: { key: `${key}/${file}` } };
}

/** Whole seconds of the recordings' simple durations: "30s", "1m". */
function secondsOf(duration: string | undefined): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(duration ?? "0s");
  if (match === null) return 0;
  const unit = { ms: 0.001, s: 1, m: 60 }[match[2] as "ms" | "s" | "m"];
  return Number(match[1]) * unit;
}

export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
