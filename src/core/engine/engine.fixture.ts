/** For tests of the engine: a workflow driven by hand, with pods that do what they are told. */

import type { NodeStatus } from "../model/argo/node.js";
import type { Outputs } from "../model/argo/template.js";
import type { Workflow, WorkflowCondition, WorkflowSpec } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";
import type { Pod, PodStatus } from "../model/kube/pod.js";
import { viewPod } from "../podlife/index.js";
import { rfc3339OfMs } from "../std/time.js";
import type { Change, Decision, Demand, Need, Run } from "./contract.js";
import type { EngineOptions } from "./options.js";
import { openRun } from "./run.js";

export const start = 1_767_225_600_000;

export const plainOptions: EngineOptions = {
  pod: { layout: "local", images: new Map(), statusFinalizer: true },
  onDefect: (message) => {
    throw new Error(message);
  },
};

export function workflowOf(spec: WorkflowSpec, name = "wf"): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: "argo", uid: "uid", creationTimestamp: rfc3339OfMs(start) },
    spec,
  };
}

export const echo = { name: "echo", container: { image: "busybox", command: ["echo"] } };

/** One workflow in virtual time; every decision is taken over at once. */
export class Drive {
  now = start;
  run: Run;
  last: Decision | undefined;
  readonly pods = new Map<string, Pod>();
  readonly demands: Demand[] = [];
  private status: NonNullable<Workflow["status"]> = {};
  private uid = 0;

  constructor(
    readonly workflow: Workflow,
    private readonly options: EngineOptions = plainOptions,
    private readonly objects: readonly KubeObject[] = [],
  ) {
    this.run = openRun(workflow, options);
    this.tell([{ kind: "observed" }]);
  }

  tell(changes: readonly Change[]): Decision {
    const facts = { get: (need: Need) => this.objects.find(({ metadata }) => metadata.name === need.name) ?? null };
    const decision = this.run.advance({ changes, now: this.now, facts });
    this.run.commit("1");
    this.last = decision;
    const fields = Object.entries(decision.statusFields).filter(([, value]) => value !== null);
    this.status = { ...this.status, ...Object.fromEntries(fields) };
    for (const demand of decision.demands) {
      this.demands.push(demand);
      if (demand.kind === "create-pod") this.create(demand.nodeId, demand.pod);
    }
    return decision;
  }

  /** The pod of a node, by the node's name, ends. */
  end(nodeName: string, exitCode = 0, outputs?: Outputs): Decision {
    const result = { nodeId: this.node(nodeName).id, outputs, progress: undefined, completed: true, final: true };
    const phase = exitCode === 0 ? "Succeeded" : "Failed";
    return this.tell([{ kind: "task-result", result }, this.seen(nodeName, { phase, ...this.containers(exitCode) })]);
  }

  /** The pod ends well while nobody looks. */
  endUnseen(nodeName: string): void {
    this.seen(nodeName, { phase: "Succeeded", ...this.containers(0) });
  }

  /** The pod runs; a daemon's is ready. */
  begin(nodeName: string): Decision {
    return this.tell([this.seen(nodeName, { phase: "Running", podIP: "10.0.0.1", ...this.containers(undefined) })]);
  }

  /** The pod's status is seen. */
  show(nodeName: string, status: PodStatus): Decision {
    return this.tell([this.seen(nodeName, status)]);
  }

  wait(milliseconds: number): Decision {
    this.now += milliseconds;
    return this.tell([]);
  }

  /** Another process takes over: it opens what is saved, and looks at everything. */
  restart(edit: Partial<WorkflowSpec> = {}): Decision {
    this.run = openRun({ ...this.saved, spec: { ...this.workflow.spec, ...edit } }, this.options);
    const views = [...this.pods.values()].map((pod): Change => ({ kind: "pod", view: viewPod(pod) }));
    return this.tell([...views, { kind: "observed" }]);
  }

  /** As it stands in the store. */
  get saved(): Workflow {
    const nodes = Object.fromEntries([...this.run.nodes()].map((node) => [node.id, node]));
    return { ...this.run.workflow, status: { ...this.status, nodes } };
  }

  node(name: string): NodeStatus {
    const node = [...this.run.nodes()].find((one) => one.name === name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  podOf(nodeName: string): Pod {
    const pod = this.pods.get(this.node(nodeName).id);
    if (pod === undefined) throw new Error(`no pod for ${nodeName}`);
    return pod;
  }

  /** `name: phase` of each node, and its message. */
  tree(): readonly string[] {
    return [...this.run.nodes()].map(({ name, phase, message }) =>
      message === undefined ? `${name}: ${phase ?? ""}` : `${name}: ${phase ?? ""} (${message})`,
    );
  }

  get phase(): string {
    return this.status.phase ?? "";
  }

  get message(): string | undefined {
    return this.status.message;
  }

  get conditions(): readonly WorkflowCondition[] | undefined {
    return this.status.conditions;
  }

  get outputs(): Outputs | undefined {
    return this.status.outputs;
  }

  private create(nodeId: string, pod: Pod): void {
    this.uid++;
    const metadata = { ...pod.metadata, uid: `pod-${this.uid}`, creationTimestamp: rfc3339OfMs(this.now) };
    this.pods.set(nodeId, { ...pod, metadata: { ...metadata, resourceVersion: "1" }, status: { phase: "Pending" } });
  }

  private seen(nodeName: string, status: PodStatus): Change {
    const next = { ...this.podOf(nodeName), status };
    this.pods.set(this.node(nodeName).id, next);
    return { kind: "pod", view: viewPod(next) };
  }

  private containers(exitCode: number | undefined): Pick<PodStatus, "containerStatuses"> {
    const time = rfc3339OfMs(this.now);
    const reason = exitCode === 0 ? "Completed" : "Error";
    const state =
      exitCode === undefined
        ? { running: { startedAt: time } }
        : { terminated: { exitCode, reason, startedAt: time, finishedAt: time } };
    const main = { name: "main", image: "", imageID: "", ready: exitCode === undefined, restartCount: 0, state };
    return { containerStatuses: [main] };
  }
}
