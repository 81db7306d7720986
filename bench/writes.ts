/**
 * Writes to the API that a workflow costs, counted by component, verb and resource: a workflow of one pod, and each further
 * pod of the same workflow. On virtual time, so the figures are the same on every machine.
 */

import { defaultOutcome } from "../src/cluster/kubelet/index.js";
import type { Workflow, WorkflowSpec } from "../src/core/model/argo/workflow.js";
import { workflows } from "../src/core/model/resources.js";
import type { Client } from "../src/kube/client.js";
import { settle, VirtualClock } from "../src/kube/testing/virtual-clock.js";
import { type Component, scriptedCluster } from "./lib/cluster.js";
import { verdict } from "./lib/measure.js";

const CONTROLLER_MAX = 5;
/** That a pod is at work is a write more, where its end takes two (decision 18). */
const SEEN_AT_WORK = 1;
const EXECUTOR_MAX = 2;
/** Pods of a workflow with several: as many as end together only by chance. */
const MANY = 10;
/** So long a save may wait for company. */
const COMPANY_MS = 250;
/** Of a step that is over sooner Running and the end are saved as one; of another Running is a save by itself. */
const lengths = [
  { name: "over at once", ms: 100 },
  { name: "at work for 3 s", ms: 3000 },
] as const;
/** After the end of the workflow: podGC is over long before. */
const AFTERWARDS_MS = 60_000;

/** `component verb resource` -> how often. */
type Counts = Map<string, number>;

const verbs = ["create", "update", "patch", "delete"] as const;

function counting(counts: Counts, component: Component, client: Client): Client {
  const count = (verb: string, plural: string): void => {
    const what = `${component} ${verb} ${plural}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  return new Proxy(client, {
    get: (target, name) => {
      const verb = verbs.find((one) => one === name);
      const call = Reflect.get(target, name) as (...args: readonly unknown[]) => unknown;
      if (verb === undefined) return call;
      return (...args: readonly [{ readonly plural: string }, ...unknown[]]) => {
        count(verb, args[0].plural);
        return call(...args);
      };
    },
  });
}

/** One step after the other, so that no two writes are saved in one by chance; each with an output to report. */
function steps(count: number, podGC: WorkflowSpec["podGC"]): WorkflowSpec {
  return {
    entrypoint: "main",
    ...(podGC !== undefined && { podGC }),
    templates: [
      { name: "main", steps: Array.from({ length: count }, (_, index) => [{ name: `s${index}`, template: "one" }]) },
      {
        name: "one",
        container: { image: "busybox", command: ["work"] },
        outputs: { parameters: [{ name: "answer", valueFrom: { path: "/tmp/answer" } }] },
      },
    ],
  };
}

/** A workflow that is nothing but its pod. */
function alone(podGC: WorkflowSpec["podGC"]): WorkflowSpec {
  return { ...steps(0, podGC), entrypoint: "one" };
}

async function writesOf(spec: WorkflowSpec, stepMs: number): Promise<Counts> {
  const clock = new VirtualClock();
  const counts: Counts = new Map();
  const outcome = { ...defaultOutcome, durationMs: stepMs, files: { "/tmp/answer": "42" } };
  const cluster = await scriptedCluster({
    clock,
    script: { rules: [{ match: { container: "main" }, outcome }] },
    clientFor: (component, client) => counting(counts, component, client),
  });
  const key = { namespace: "default", name: "counted" };
  await cluster.client.create<Workflow>(workflows, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: key,
    spec,
  });
  let phase: string | undefined;
  while (phase !== "Succeeded") {
    await clock.advance(1000);
    phase = (await cluster.client.get<Workflow>(workflows, key)).status?.phase;
    if (phase === "Failed" || phase === "Error" || clock.monotonic() > 3_600_000)
      throw new Error(`the workflow is ${phase}`);
  }
  await clock.advance(AFTERWARDS_MS);
  const closing = cluster.close();
  await settle();
  await clock.advance(AFTERWARDS_MS);
  await closing;
  return counts;
}

const ofEvents = (what: string): boolean => what.endsWith(" events");

function total(counts: Counts, component: Component): number {
  return [...counts]
    .filter(([what]) => what.startsWith(`${component} `) && !ofEvents(what))
    .reduce((sum, [, count]) => sum + count, 0);
}

function details(counts: Counts, component: Component): string {
  return [...counts]
    .filter(([what]) => what.startsWith(`${component} `))
    .map(([what, count]) => `${what.slice(component.length + 1)} ${count}`)
    .join(", ");
}

async function report(name: string, podGC: WorkflowSpec["podGC"], length: (typeof lengths)[number]): Promise<void> {
  const one = await writesOf(alone(podGC), length.ms);
  const [controller, executor] = [total(one, "controller"), total(one, "executor")];
  const isSeen = length.ms > COMPANY_MS && podGC !== undefined;
  const controllerMax = CONTROLLER_MAX + (isSeen ? SEEN_AT_WORK : 0);
  const isMet = controller <= controllerMax && executor <= EXECUTOR_MAX;
  console.log(`writes, one pod ${length.name}, ${name}: controller ${controller}, executor ${executor}`);
  for (const component of ["controller", "executor", "kubelet"] as const)
    console.log(`  ${component}: ${details(one, component)}`);
  const [few, many] = [await writesOf(steps(1, podGC), length.ms), await writesOf(steps(1 + MANY, podGC), length.ms)];
  const each = (component: Component): string => ((total(many, component) - total(few, component)) / MANY).toFixed(1);
  console.log(`  each further pod: controller ${each("controller")}, executor ${each("executor")}`);
  const why = isSeen ? ` (${CONTROLLER_MAX}, and that it is at work: decision 18)` : "";
  console.log(`  target ${controllerMax}${why} and ${EXECUTOR_MAX}, events not counted: ${verdict(isMet)}`);
}

for (const length of lengths) {
  await report("no podGC", undefined, length);
  await report("podGC OnPodCompletion", { strategy: "OnPodCompletion" }, length);
  await report("podGC OnWorkflowCompletion", { strategy: "OnWorkflowCompletion" }, length);
}
