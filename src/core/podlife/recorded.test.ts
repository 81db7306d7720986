/** The recorded lives of pods on a real kubelet: same outcome and same disposal, where Argo is right. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { ContainerState } from "../model/kube/pod.js";
import { dispositionOf } from "./disposition.js";
import { aPod, waiting } from "./fixtures/pod.js";
import { gatherFacts } from "./gather.js";
import { assessPod } from "./outcome.js";
import { viewPod } from "./view-of.js";

interface RecordedPod {
  readonly node: string;
  readonly terminated?: Readonly<Record<string, { readonly t: number; readonly state: string }>>;
  readonly final?: "Succeeded" | "Failed";
  readonly reason?: string;
  readonly message?: string;
  readonly labelledCompletedAt?: number | null;
  readonly deletedAt?: number | null;
}

interface RecordedCase {
  readonly name: string;
  readonly submitted: Workflow;
  readonly phase: "Succeeded" | "Failed" | "Error" | "Running";
  readonly doneAt: number | null;
  readonly nodes: readonly NodeStatus[];
  readonly pods?: readonly RecordedPod[];
}

const folder = recordedFolder();

/** Beside the repository, in one of the folders above it; undefined when this machine has none. */
function recordedFolder(): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(at, "shared", "argo", "lifecycle");
    if (existsSync(candidate)) return candidate;
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
}

function cases(prefix: RegExp): readonly RecordedCase[] {
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json") && prefix.test(file));
  return files.sort().map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as RecordedCase);
}

if (folder === undefined) {
  test("the recorded cases are not on this machine: left out", () => {
    expect(cases(/./)).toEqual([]);
  });
}

const epoch = Date.parse("2026-01-01T00:00:00Z");
const time = (seconds: number): string => new Date(epoch + seconds * 1000).toISOString();

function stateOf({ t, state }: { readonly t: number; readonly state: string }): ContainerState {
  const [, code = "0", reasonAndMore = ""] = state.split(":");
  const [reason = ""] = reasonAndMore.split(" ");
  return { terminated: { exitCode: Number(code), reason, startedAt: time(0), finishedAt: time(t) } };
}

function podOf(recorded: RecordedPod, template: Template | undefined, finalizers: readonly string[]) {
  const states = Object.entries(recorded.terminated ?? {});
  const inits = states.filter(([name]) => name.startsWith("init:")).map(([name, one]) => [name.slice(5), stateOf(one)]);
  const others = states.filter(([name]) => !name.startsWith("init:")).map(([name, one]) => [name, stateOf(one)]);
  const containers = Object.fromEntries(others) as Record<string, ContainerState>;
  return viewPod(
    aPod({
      metadata: { ...aPod().metadata, finalizers, labels: { ...template?.metadata?.labels } },
      status: {
        phase: recorded.final ?? "Running",
        ...(recorded.reason === undefined ? {} : { reason: recorded.reason }),
        ...(recorded.message === undefined ? {} : { message: recorded.message }),
      },
      containers: "main" in containers ? containers : { ...containers, main: waiting("PodInitializing") },
      initContainers: Object.fromEntries(inits) as Record<string, ContainerState>,
    }),
  );
}

function templateOf(one: RecordedCase, node: NodeStatus): Template | undefined {
  return one.submitted.spec.templates?.find(({ name }) => name === node.templateName);
}

describe.skipIf(folder === undefined)("the podGC matrix: deleted, labelled, or neither", () => {
  for (const one of cases(/^gc-/)) {
    const finished = one.doneAt === null ? {} : { finishedAt: time(one.doneAt) };
    const workflow: Workflow = {
      ...one.submitted,
      metadata: { ...one.submitted.metadata, uid: "wf-uid" },
      status: { phase: one.phase, ...finished },
    };
    test(one.name, () => {
      for (const pod of one.pods ?? []) {
        const node = one.nodes.find(({ name }) => name === pod.node);
        if (node === undefined) throw new Error(`no node ${pod.node}`);
        const facts = gatherFacts(podOf(pod, templateOf(one, node), ["workflows.argoproj.io/status"]), {
          sighting: { kind: "seen", workflow },
          node,
          template: templateOf(one, node),
          hostLost: false,
          podGCDelayMs: 5_000,
          now: epoch + 100_000,
        });
        const disposition = dispositionOf(facts);
        expect(disposition.kind === "delete").toBe(pod.deletedAt != null);
        expect(disposition.kind === "release" && disposition.label === "completed").toBe(
          pod.labelledCompletedAt != null,
        );
        if (disposition.kind !== "delete" || pod.deletedAt == null) continue;
        // Argo deletes when its delayed queue gets round to it, never before.
        expect(pod.deletedAt - (disposition.notBefore - epoch) / 1000).toBeGreaterThanOrEqual(-0.1);
        expect(pod.deletedAt - (disposition.notBefore - epoch) / 1000).toBeLessThan(3);
      }
    });
  }
});

/** Settled by the workflow, not by the pod; or by a pod that was not seen to its end. */
const settledOtherwise = /^(workflow shutdown|Stopped with|Step exceeded|pod deleted|timeout)/;

/** Ours differs on purpose: what a daemon that ended with 0 says (lessons G.3, 9). */
const differs = new Set(["daemon-exits0"]);

describe.skipIf(folder === undefined)("phase and message of every pod that settled its node", () => {
  for (const one of cases(/^(?!gc-)/)) {
    const pods = (one.pods ?? []).filter((pod) => settles(one, pod));
    if (pods.length === 0 || differs.has(one.name)) continue;
    test(one.name, () => {
      for (const pod of pods) {
        const node = one.nodes.find(({ name }) => name === pod.node) as NodeStatus;
        const template = templateOf(one, node);
        const view = { ...podOf(pod, template, []), name: node.id, namespace: "argo" };
        const assessed = assessPod(view, {
          node: { ...node, phase: "Running" },
          template,
          taskResult: { completed: true, final: true },
          includeResult: false,
          now: epoch,
        });
        expect([assessed.phase, lastWords(assessed.message)]).toEqual([node.phase, lastWords(node.message)]);
      }
    });
  }
});

function settles(one: RecordedCase, pod: RecordedPod): boolean {
  const nodes = one.nodes.filter(({ name }) => name === pod.node);
  const [node] = nodes;
  const attempts = (one.pods ?? []).filter((other) => other.node === pod.node).length;
  if (node === undefined || attempts > 1 || pod.final === undefined || node.phase === undefined) return false;
  if (!["Succeeded", "Failed", "Error"].includes(node.phase)) return false;
  const isDaemon = templateOf(one, node)?.daemon === true && node.phase === "Succeeded";
  return !isDaemon && !settledOtherwise.test(node.message ?? "") && "main" in (pod.terminated ?? {});
}

/** The recordings keep a container's reason and code, not its termination message. */
function lastWords(message: string | undefined): string {
  return (message ?? "").replace(/(\(exit code \d+\)).*$/, "$1");
}
