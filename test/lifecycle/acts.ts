/** What was done in a case, read from its recorded commands, and how it is done here. */

import type { Workflow } from "../../src/core/model/argo/workflow.js";
import type { Pod } from "../../src/core/model/kube/pod.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../../src/core/model/resources.js";
import { podNameOfNode, resume, retry, stop, terminate } from "../../src/core/operations/index.js";
import type { Json } from "../../src/core/std/json.js";
import { ok, type Result } from "../../src/core/std/result.js";
import type { DeleteOptions, Patch } from "../../src/kube/client.js";
import { isConflict, isNotFound } from "../../src/kube/errors.js";
import { keyOf } from "../../src/kube/key.js";
import type { LifecycleCase, RecordedAction } from "./case.js";
import type { LifecycleCluster } from "./world/cluster.js";

export const NAMESPACE = "argo";

export interface Act {
  /** Seconds after the workflow was posted. */
  readonly at: number;
  /** As the command was typed. */
  readonly text: string;
  do(cluster: LifecycleCluster): Promise<void>;
}

/** A command that is not known here; the case is left out. */
export class UnknownActError extends Error {
  override readonly name = "UnknownActError";
}

/** Throws {@link UnknownActError}. */
export function actsOf(one: LifecycleCase): readonly Act[] {
  return [...one.actions.map((action) => actOf(one, action)), ...unrecorded(one)].sort((a, b) => a.at - b.at);
}

/** What the recording says in its description only. */
function unrecorded(one: LifecycleCase): readonly Act[] {
  if (one.name === "ckill-fan") {
    const down = one.actions.find(({ note }) => note === "DOWN");
    return [actOf(one, { t: (down?.t ?? 0) - 0.25, cmd: `argo resume ${one.name}` })];
  }
  // So that it can be seen that the step goes on.
  if (one.name === "pod-exists") {
    const cmd = `kubectl -n argo delete pod ${one.name} --wait=false`;
    return [actOf(one, { t: one.observedUntil, cmd })];
  }
  return [];
}

function actOf(one: LifecycleCase, { t, cmd, note }: RecordedAction): Act {
  if (note !== undefined) return { at: t, text: note, do: (cluster) => upOrDown(cluster, one, note) };
  const words = typeof cmd === "string" ? wordsOf(cmd) : (cmd ?? []);
  const run = commandOf(one, words);
  return { at: t, text: words.join(" "), do: run };
}

function wordsOf(command: string): readonly string[] {
  return command.split(" ").filter((word) => word !== "");
}

/** The controller or the kubelet, as the case's family is about. */
async function upOrDown(cluster: LifecycleCluster, { name }: LifecycleCase, note: string): Promise<void> {
  const isKubelet = name.startsWith("kstop");
  if (note === "DOWN") {
    if (isKubelet) cluster.stopKubelet();
    else cluster.stopController();
  } else if (isKubelet) {
    await cluster.startKubelet();
  } else {
    // It comes back with the finalizer switched off.
    if (name.startsWith("nofin")) cluster.statusFinalizer = false;
    cluster.startController();
  }
}

type Run = Act["do"];

function commandOf(one: LifecycleCase, words: readonly string[]): Run {
  const [program = "", ...rest] = words;
  if (program === "argo") return argo(one, rest);
  if (program === "kubectl") return kubectl(one, rest.slice(2));
  if (program === "ctr") return ctr(one, rest);
  throw new UnknownActError(words.join(" "));
}

function argo({ name }: LifecycleCase, words: readonly string[]): Run {
  const [verb] = words;
  switch (verb) {
    case "terminate":
      return (cluster) => change(cluster, name, (live) => terminate(live));
    case "stop":
      return (cluster) => change(cluster, name, (live) => stop(live, { now: cluster.clock.now() }));
    case "resume":
      return (cluster) => change(cluster, name, (live) => resume(live, { now: cluster.clock.now() }));
    case "retry":
      return (cluster) => retryWorkflow(cluster, name, words);
    default:
      throw new UnknownActError(`argo ${words.join(" ")}`);
  }
}

function kubectl(one: LifecycleCase, words: readonly string[]): Run {
  const [verb, kind = "", name = "", ...rest] = words;
  const key = { namespace: NAMESPACE, name };
  switch (verb) {
    case "delete":
      if (kind === "workflowtaskresult") return deleteResults;
      return (cluster) => remove(cluster, kind === "pod" ? pods : workflows, key.name, rest);
    case "patch":
      return (cluster) => patch(cluster, pods, name, patchOf(rest));
    case "label":
      return (cluster) => patch(cluster, pods, name, { type: "merge", body: { metadata: { labels: textsOf(rest) } } });
    case "annotate":
      return (cluster) =>
        patch(cluster, workflows, name, { type: "merge", body: { metadata: { annotations: textsOf(rest) } } });
    case "run":
      return (cluster) => runPod(cluster, kind, words);
    default:
      throw new UnknownActError(`kubectl ${words.join(" ")} (${one.name})`);
  }
}

/** `ctr tasks kill`: which container was meant is the case's name. */
function ctr({ name }: LifecycleCase, words: readonly string[]): Run {
  const signal = words.includes("SIGKILL") ? "SIGKILL" : "SIGTERM";
  return async (cluster) => {
    const pod = cluster.truth.pods().find((one) => one.metadata.name === name);
    if (pod === undefined) throw new Error(`no pod ${name}`);
    if (name.startsWith("wait-")) await cluster.signal(pod, "wait", signal);
    else await cluster.machine.signal(pod.metadata.uid ?? "", "main", signal);
  };
}

const TRIES_MAX = 5;

async function change(
  cluster: LifecycleCluster,
  name: string,
  next: (live: Workflow) => Result<Workflow, string>,
): Promise<void> {
  const client = cluster.outside();
  for (let tries = 1; ; tries++) {
    const live = await client.get<Workflow>(workflows, { namespace: NAMESPACE, name });
    const result = next(live);
    // What is refused was too late: the person is told so, and that is all.
    if (!result.ok) return;
    try {
      await client.update(workflows, result.value);
      return;
    } catch (error) {
      if (!isConflict(error) || tries === TRIES_MAX) throw error;
    }
  }
}

/** The pods of the nodes that run again are deleted by UID. */
async function retryWorkflow(cluster: LifecycleCluster, name: string, words: readonly string[]): Promise<void> {
  const selector = words[words.indexOf("--node-field-selector") + 1] ?? "";
  const restart = words.includes("--restart-successful");
  let gone: readonly string[] = [];
  await change(cluster, name, (live) => {
    const now = cluster.clock.now();
    const options = restart ? { now, restartSuccessful: true, nodeFieldSelector: selector } : { now };
    const retried = retry(live, options);
    if (!retried.ok) return retried;
    gone = retried.value.deletedNodes
      .filter(({ type }) => type === "Pod")
      .map((node) => podNameOfNode(live.metadata.name ?? "", node));
    return ok(retried.value.workflow);
  });
  for (const pod of cluster.truth.pods().filter((one) => gone.includes(one.metadata.name ?? ""))) {
    await unlessGone(cluster.outside().delete(pods, keyOf(pod), { preconditions: { uid: pod.metadata.uid ?? "" } }));
  }
}

async function remove(
  cluster: LifecycleCluster,
  type: ResourceType,
  name: string,
  flags: readonly string[],
): Promise<void> {
  await unlessGone(cluster.outside().delete(type, { namespace: NAMESPACE, name }, deleteOptions(flags)));
}

async function unlessGone(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function deleteOptions(flags: readonly string[]): DeleteOptions {
  const value = (flag: string): string | undefined =>
    flags.find((one) => one.startsWith(`--${flag}=`))?.slice(flag.length + 3);
  const grace = value("grace-period");
  const policies = { foreground: "Foreground", orphan: "Orphan", background: "Background" } as const;
  const cascade = (value("cascade") ?? "background") as keyof typeof policies;
  return {
    propagationPolicy: policies[cascade],
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
  };
}

async function deleteResults(cluster: LifecycleCluster): Promise<void> {
  for (const result of cluster.truth.taskResults()) await cluster.outside().delete(workflowTaskResults, keyOf(result));
}

function patchOf(words: readonly string[]): Patch {
  const body = JSON.parse(words[words.indexOf("-p") + 1] ?? "{}") as Json;
  return words.includes("--type=json") ? { type: "json", body: body as readonly Json[] } : { type: "merge", body };
}

/** `a=b` sets, `a-` takes away. */
function textsOf(words: readonly string[]): Record<string, Json> {
  const texts = words.filter((word) => !word.startsWith("--"));
  return Object.fromEntries(
    texts.map((text) => {
      const [name = "", value] = text.split("=");
      return value === undefined ? [name.replace(/-$/, ""), null] : [name, value];
    }),
  );
}

async function patch(cluster: LifecycleCluster, type: ResourceType, name: string, by: Patch): Promise<void> {
  await unlessGone(cluster.outside().patch(type, { namespace: NAMESPACE, name }, by));
}

async function runPod(cluster: LifecycleCluster, name: string, words: readonly string[]): Promise<void> {
  await cluster.outside().create<Pod>(pods, foreignPod(name, words.slice(words.indexOf("--") + 1)));
}

/** A pod that is nobody's. */
export function foreignPod(name: string, command: readonly string[]): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE },
    spec: { restartPolicy: "Never", containers: [{ name, image: "busybox", command: [...command] }] },
  };
}
