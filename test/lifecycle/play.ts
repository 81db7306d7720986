/** Plays a case on a cluster in virtual time. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultOutcome, type ScriptOutcome } from "../../src/cluster/kubelet/index.js";
import { annotations } from "../../src/core/model/argo/names.js";
import type { Container, Pod } from "../../src/core/model/kube/pod.js";
import { pods, workflows } from "../../src/core/model/resources.js";
import { settle } from "../../src/kube/testing/virtual-clock.js";
import { type Act, actsOf, foreignPod, NAMESPACE } from "./acts.js";
import type { LifecycleCase, RecordedPod } from "./case.js";
import { Observer } from "./observe.js";
import { translateContainer } from "./translate/container.js";
import { Cluster, SCHEDULING_MS } from "./world/cluster.js";

export interface Played {
  readonly seen: Observer;
  /** Freed too early, started twice, not at rest at the end, contradictions of the engine, failures of the play. */
  readonly broken: readonly string[];
}

const DEFAULT_START_MS = 2000;
/** Beyond what was watched: deadlines, graces and delays that Argo missed come about here. */
const LONGER_S = 100;

/** Rejects with UntranslatedError or UnknownActError where the case is not understood. */
export async function play(one: LifecycleCase): Promise<Played> {
  const acts = actsOf(one);
  const folder = await mkdtemp(join(tmpdir(), "tiphys-lifecycle-"));
  try {
    return await playIn(folder, one, acts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function playIn(folder: string, one: LifecycleCase, acts: readonly Act[]): Promise<Played> {
  const failures: Error[] = [];
  const cluster = clusterFor(folder, one, failures);
  const ours = one.pods.filter(({ node }) => node !== undefined);
  cluster.statusFinalizer = ours.length === 0 || ours.some(({ hadFinalizer }) => hadFinalizer);
  await cluster.start();
  try {
    const before = await foreignBefore(cluster, one);
    const seen = new Observer(cluster, cluster.clock.monotonic());
    seen.look();
    await cluster
      .outside()
      .create(workflows, { ...one.submitted, metadata: { ...one.submitted.metadata, namespace: NAMESPACE } });
    for (const { at, text, do: act } of acts) {
      await passUntil(cluster, seen, before + Math.round(at * 1000));
      await act(cluster).catch((error: unknown) => {
        throw new Error(`${text}: ${String(error)}`);
      });
    }
    await passUntil(
      cluster,
      seen,
      before + Math.round((Math.max(one.observedUntil, acts.at(-1)?.at ?? 0) + LONGER_S) * 1000),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    return { seen, broken: [...seen.broken, ...cluster.defects, ...seen.unrest()] };
  } finally {
    cluster.stop();
    await settle();
  }
}

/** The moment at which the workflow is posted. */
async function foreignBefore(cluster: Cluster, { name }: LifecycleCase): Promise<number> {
  if (name === "pod-exists") {
    await cluster.outside().create<Pod>(pods, foreignPod(name, ["sleep", "20"]));
    await cluster.clock.advance(1000);
  }
  return cluster.clock.monotonic();
}

/** Step by step, looking after each. */
async function passUntil({ clock }: Cluster, seen: Observer, untilMs: number): Promise<void> {
  clock.after(untilMs - clock.monotonic(), () => undefined);
  await quiet();
  while ((clock.nextAt() ?? Number.POSITIVE_INFINITY) <= untilMs) {
    await clock.step();
    await quiet();
    seen.look();
  }
}

/** The executor's files are real, and take real time: virtual time waits for them. */
async function quiet(): Promise<void> {
  do await settle();
  while (process.getActiveResourcesInfo().some((resource) => /FSReq|CloseReq/.test(resource)));
}

function clusterFor(folder: string, one: LifecycleCase, failures: Error[]): Cluster {
  const created = new Map<string, string[]>();
  const forbidden = one.nodes.find(({ message }) => message?.includes("workflowtaskresults.argoproj.io is forbidden"));
  return new Cluster({
    folder,
    outcomeOf: (pod, container) => outcomeOf(pod, container, failures),
    startDelayMs: (pod) => startDelayMs(recordedOf(one, created, pod)),
    refusal: (pod) => refusalOf(pod),
    isUnschedulable: ({ spec }) => spec.nodeName === undefined && matchesNoNode(spec),
    ...(forbidden?.message === undefined ? {} : { resultsForbidden: forbidden.message.replace(/^wait: .*?\): /, "") }),
  });
}

/** A failure here is the play's: it is thrown where the case ends. */
function outcomeOf(pod: Pod, container: Container, failures: Error[]): ScriptOutcome {
  try {
    return translateContainer(pod, container);
  } catch (error) {
    failures.push(error instanceof Error ? error : new Error(String(error)));
    return defaultOutcome;
  }
}

/** The recorded pod of the same node; of several, the one that came as the given one did. */
function recordedOf(one: LifecycleCase, created: Map<string, string[]>, pod: Pod): RecordedPod | undefined {
  const { uid = "", name = "" } = pod.metadata;
  const node = pod.metadata.annotations?.[annotations.nodeName] ?? name;
  const uids = created.get(node) ?? [];
  if (!uids.includes(uid)) uids.push(uid);
  created.set(node, uids);
  return one.pods.filter((recorded) => recorded.node === node)[uids.indexOf(uid)];
}

/** As long after its creation as recorded. Where it was over before anyone saw it run: so that it ends as recorded. */
function startDelayMs(recorded: RecordedPod | undefined): number {
  if (recorded === undefined) return DEFAULT_START_MS;
  const { createdAt, runningAt, terminated } = recorded;
  const hasUserInit = Object.keys(terminated).some((name) => name.startsWith("init:") && name !== "init:init");
  const beganAt = hasUserInit ? undefined : (runningAt ?? terminated["main"]?.t);
  if (beganAt === undefined) return DEFAULT_START_MS;
  // Whole milliseconds: timers of fractions would not meet.
  return Math.max(100, Math.round((beganAt - createdAt) * 1000) - SCHEDULING_MS);
}

/** The node of the cases has no such label. */
function matchesNoNode({ nodeSelector }: Pod["spec"]): boolean {
  return nodeSelector?.["no"] === "such";
}

/** What the kubelet of the cases' node will not have, though it was bound to it. */
function refusalOf({ spec }: Pod): { readonly reason: string; readonly message: string } | undefined {
  const affinity = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  if (matchesNoNode(spec)) return { reason: "NodeAffinity", message: `Pod was rejected: ${affinity}` };
  const asked = spec.containers.find(({ resources }) => resources?.requests?.["memory"] === "999Gi");
  if (asked === undefined) return undefined;
  const numbers = "requested: 1072668082176, used: 0, capacity: 25066344448";
  const memory = `Node didn't have enough resource: memory, ${numbers}`;
  return { reason: "OutOfmemory", message: `Pod was rejected: ${memory}` };
}
