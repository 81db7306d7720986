/** Carrying out what people, other programs, machines and luck do to a world. */

import { annotations, labels } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { namespaces, pods, workflows } from "../../../src/core/model/resources.js";
import type { Json } from "../../../src/core/std/json.js";
import { keyOf } from "../../../src/kube/key.js";
import type { World } from "../world/world.js";
import { type Act, kindOf, type PodMark } from "./fault.js";
import { operate } from "./operations.js";
import { makeStray, markResult } from "./strays.js";

/** Never rejects: what cannot be done (there is no such pod, the server is down) is not done. */
export async function act(world: World, what: Act): Promise<void> {
  try {
    // The table pairs each kind with who takes just that.
    const perform = performers[what.kind] as (world: World, what: Act) => boolean | Promise<boolean>;
    if (await perform(world, what)) world.weather.happened(`act: ${kindOf(what)}`);
  } catch (error) {
    world.history.add("user", () => `${what.kind}: ${String(error)}`);
  }
}

type Performers = {
  readonly [Kind in Act["kind"]]: (
    world: World,
    what: Extract<Act, { readonly kind: Kind }>,
  ) => boolean | Promise<boolean>;
};

/** Each answers whether there was anything to do it to. */
const performers: Performers = {
  crash: (world, { role, downMs }) => world.crash(role, downMs),
  "crash-all": (world, { downMs }) => crashAll(world, downMs),
  pause: (world, { role, ms }) => world.pause(role, ms),
  "jump-clock": jumpClock,
  "refuse-all": refuseAll,
  "cut-off": cutOff,
  "delete-pod": deletePod,
  "finish-pod": finishPod,
  "mark-pod": markPod,
  "executor-killed": (world, { index }) => killExecutor(world, index),
  "lose-machine": (world, loss) => world.cluster.lose(loss),
  workflow: (world, { index, operation }) => operate(world, index, operation),
  "replace-workflow": replaceWorkflow,
  "delete-namespace": deleteNamespace,
  stray: makeStray,
  "mark-result": (world, { index }) => markResult(world, index),
};

/** Everything dies at once, as on one machine. */
function crashAll(world: World, downMs: number): boolean {
  world.crashApi(downMs);
  for (const role of [...world.components.controllerRoles, "kubelet"]) world.crash(role, downMs + 50);
  return true;
}

function jumpClock(world: World, { role, ms }: Extract<Act, { kind: "jump-clock" }>): boolean {
  world.history.add("fault", () => `${role}'s clock jumps by ${ms} ms`);
  world.components.process(role)?.clock.jumpWall(ms);
  return true;
}

/** Counted by the writes that are refused. */
function refuseAll(world: World, { role, plural, code, ms }: Extract<Act, { kind: "refuse-all" }>): boolean {
  world.history.add("fault", () => `${role}'s writes of ${plural} are refused (${code}) for ${ms} ms`);
  world.clock.after(ms, world.weather.outage({ role, plural, code }));
  return false;
}

/** Counted by the calls that get no answer. */
function cutOff(world: World, { role, commit, ms }: Extract<Act, { kind: "cut-off" }>): boolean {
  world.history.add("fault", () => `${role} gets no answers for ${ms} ms; what it asks for is ${verdicts[commit]}`);
  world.clock.after(ms, world.weather.cutOff(role, commit));
  return false;
}

const verdicts = { before: "lost", after: "done" } as const;

async function deletePod(
  world: World,
  { index, graceSeconds }: Extract<Act, { kind: "delete-pod" }>,
): Promise<boolean> {
  const pod = world.podAt(index);
  if (pod === undefined) return false;
  world.history.add("user", () => `deletes pod ${pod.metadata.name}, grace ${graceSeconds ?? "its own"}`);
  await world
    .outside()
    .delete(pods, keyOf(pod), graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds });
  return true;
}

function finishPod(world: World, { index, how }: Extract<Act, { kind: "finish-pod" }>): boolean {
  const running = world.machine.running();
  const uid = [...running].sort()[index % Math.max(1, running.length)];
  if (uid === undefined) return false;
  world.history.add("machine", () => `${how} of pod ${uid}`);
  world.machine.end(uid, how);
  return true;
}

/** Of those that run: before main has ended, while it reports, or after it has. */
async function killExecutor(world: World, index: number): Promise<boolean> {
  const running = world.podsByName().filter(hasRunningExecutor);
  const pod = running[index % Math.max(1, running.length)];
  const kubelet = pod === undefined ? undefined : world.components.hostOf(pod)?.kubelet;
  if (pod === undefined || kubelet === undefined) return false;
  world.history.add("machine", () => `the executor of ${pod.metadata.name} is killed`);
  await kubelet.signal({ uid: pod.metadata.uid ?? "" }, "SIGKILL", ["wait"]);
  return true;
}

function hasRunningExecutor({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).some(({ name, state }) => name === "wait" && state?.running !== undefined);
}

async function markPod(world: World, { index, mark }: Extract<Act, { kind: "mark-pod" }>): Promise<boolean> {
  const pod = world.podAt(index);
  if (pod === undefined) return false;
  world.history.add("foreign", () => `${mark} on pod ${pod.metadata.name}`);
  await world.outside().patch(pods, keyOf(pod), { type: "merge", body: { metadata: marked(pod, mark) } });
  return true;
}

function marked({ metadata }: Pod, mark: PodMark): Readonly<Record<string, Json>> {
  const { uid = "", resourceVersion = "", finalizers = [] } = metadata;
  const foreign = "foreign.example/hold";
  const others = finalizers.filter((one) => one !== foreign);
  switch (mark) {
    case "finalizer-first":
      return { uid, resourceVersion, finalizers: [foreign, ...others] };
    case "finalizer-last":
      return { uid, resourceVersion, finalizers: [...others, foreign] };
    case "foreign-label":
      return { labels: { "foreign.example/colour": "blue" }, annotations: { "foreign.example/note": "seen" } };
    case "malformed-labels":
      return { labels: { [labels.workflow]: "not-this-one", [labels.phase]: "Nonsense", [labels.component]: null } };
    case "malformed-annotations":
      return {
        annotations: {
          [annotations.podGCStrategy]: "nonsense//",
          [annotations.progress]: "x/-1",
          "foreign.example/bad": "{",
        },
      };
    case "completed-label":
      return { labels: { [labels.completed]: "true" } };
    case "label-off":
      return { labels: { [labels.workflow]: null, [labels.completed]: null } };
    case "generation-nonsense":
      return { annotations: { [annotations.displayName]: "", [annotations.nodeName]: "not a node's name(" } };
  }
}

async function deleteNamespace(world: World): Promise<boolean> {
  world.history.add("user", () => "deletes the namespace");
  await world.outside().delete(namespaces, { name: "default" });
  return true;
}

async function replaceWorkflow(
  world: World,
  { index, policy }: Extract<Act, { kind: "replace-workflow" }>,
): Promise<boolean> {
  const workflow = world.workflowAt(index);
  if (workflow === undefined) return false;
  world.history.add("user", () => `deletes workflow ${workflow.metadata.name} and makes one of the same name`);
  await world.outside().delete(workflows, keyOf(workflow), { propagationPolicy: policy });
  const { name, namespace = "default" } = workflow.metadata;
  const { status: _status, metadata: _metadata, ...rest } = workflow;
  await world.submit({ ...rest, metadata: { ...(name !== undefined && { name }), namespace } } as Workflow);
  return true;
}
