/** One pass of one workflow: observe, facts, advance, save, carry out, in this order (design laws 1, 4, 6). */

import type { Decision, Demand, Run } from "../core/engine/contract.js";
import { labels } from "../core/model/argo/names.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import type { Client, ObjectKey } from "../kube/client.js";
import type { Clock } from "../kube/clock.js";
import { isConflict, isNotFound } from "../kube/errors.js";
import type { Caches } from "./caches.js";
import { carryOut } from "./carry-out.js";
import { PassFacts } from "./facts.js";
import { firstLook } from "./observe.js";
import { OpenRun, type OpenRuns } from "./open-runs.js";
import { isEmpty, isUrgent, patchOf, save } from "./save.js";
import type { TaskResultReader } from "./task-results.js";

export interface PassPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly caches: Caches;
  readonly runs: OpenRuns;
  readonly results: TaskResultReader;
  /** Opens the engine on a saved workflow. */
  open(workflow: Workflow): Run;
  /** Told of each saved change: Kubernetes events, metrics and log lines come from the difference (design 1.5). */
  saved(before: OpenRun, decision: Decision): void;
  /** The outcome of nodes may now stand in the saved workflow: their pods' dispositions can change. */
  outcomesSaved(workflowUid: string, decision: Decision): void;
}

/** What the queue should do with the key afterwards. */
export type PassEnd =
  | { readonly kind: "done" }
  /** Again at this time (milliseconds of the wall clock) if nothing comes earlier. */
  | { readonly kind: "wake"; readonly at: number }
  /** Again at once: something came of this pass itself. */
  | { readonly kind: "again" }
  /** Again after a growing delay. */
  | { readonly kind: "later"; readonly why: string };

/** A save that starts nothing may wait this long for company. */
const COMPANY_MS = 250;
/** Needs can lead to further needs (a template that refers to a template); a chain longer than this is a defect. */
const NEED_ROUNDS_MAX = 1000;

const done: PassEnd = { kind: "done" };

/** Rejects when the API gave no answer; the run is then as it was, and what it was to be told is kept. */
export async function pass(ports: PassPorts, key: ObjectKey): Promise<PassEnd> {
  const workflow = ports.caches.workflow(key);
  if (workflow === undefined || isOver(workflow)) {
    ports.runs.close(nameOf(key));
    return done;
  }
  if (!ports.caches.isCurrent(workflows, workflow)) return done;
  const open = openRunOf(ports, key, workflow);
  const facts = new PassFacts(ports.client);
  await ports.results.settle(open);
  const decision = await decide(ports, open, facts);
  if (decision === undefined) return { kind: "later", why: "the engine asks for facts without end" };
  return inForce(ports, key, open, decision);
}

/** Completed workflows are not looked at again: a retry takes the label off (Argo 4.1 behaviour 3.4). */
function isOver(workflow: Workflow): boolean {
  return workflow.metadata.labels?.[labels.completed] === "true";
}

function openRunOf(ports: PassPorts, key: ObjectKey, workflow: Workflow): OpenRun {
  const uid = workflow.metadata.uid ?? "";
  const known = ports.runs.get(uid);
  const revision = workflow.metadata.resourceVersion ?? "";
  if (known === undefined) return reopen(ports, key, workflow);
  if (known.revision === revision) return known;
  if (known.isForeign(workflow)) return reopen(ports, key, workflow);
  known.tell({ kind: "workflow", workflow });
  known.revision = revision;
  return known;
}

function reopen(ports: PassPorts, key: ObjectKey, workflow: Workflow): OpenRun {
  const open = new OpenRun(workflow, ports.open(workflow));
  for (const change of firstLook(ports.caches, workflow)) open.tell(change);
  ports.runs.add(nameOf(key), open);
  return open;
}

/** Advances until the engine lacks nothing; the last decision is staged. */
async function decide(ports: PassPorts, open: OpenRun, facts: PassFacts): Promise<Decision | undefined> {
  const changes = open.take();
  for (let round = 0; round < NEED_ROUNDS_MAX; round++) {
    const decision = open.run.advance({ changes, now: ports.clock.now(), facts });
    if (decision.needs.length === 0) return decision;
    open.undo();
    await facts.answer(decision.needs);
  }
  return undefined;
}

async function inForce(ports: PassPorts, key: ObjectKey, open: OpenRun, decision: Decision): Promise<PassEnd> {
  if (isEmpty(decision)) {
    open.settle(open.revision, decision);
    return followUp(ports, key, open, decision, await unsavedDemands(ports, key, open, decision.demands));
  }
  if (!isUrgent(decision) && mayWait(ports.clock, open)) {
    open.undo();
    return { kind: "wake", at: ports.clock.now() + COMPANY_MS };
  }
  let saved: Workflow;
  try {
    saved = await save(ports.client, key, patchOf(open, decision));
  } catch (error) {
    open.undo();
    if (isConflict(error)) return readAgain(ports, key);
    if (isNotFound(error)) return done;
    throw error;
  }
  ports.caches.wrote(workflows, saved);
  ports.saved(open, decision);
  open.settle(saved.metadata.resourceVersion ?? "", decision);
  ports.outcomesSaved(open.uid, decision);
  return followUp(ports, key, open, decision, decision.demands);
}

function mayWait(clock: Clock, open: OpenRun): boolean {
  open.deferredSince ??= clock.monotonic();
  return clock.monotonic() - open.deferredSince < COMPANY_MS;
}

/**
 * Demands of a pass that saved nothing: something was lost in a crash or refused before. An attempt that this process
 * did not itself save gets its pod only when a live read shows the workflow just as we see it (design law 6).
 */
async function unsavedDemands(
  ports: PassPorts,
  key: ObjectKey,
  open: OpenRun,
  demands: readonly Demand[],
): Promise<readonly Demand[]> {
  const strange = demands.some((demand) => demand.kind === "create-pod" && !open.startedHere(demand.nodeId));
  if (!strange) return demands;
  const live = await ports.client.get<Workflow>(workflows, key);
  const same = live.metadata.uid === open.uid && live.metadata.resourceVersion === open.revision;
  return same ? demands : [];
}

async function followUp(
  ports: PassPorts,
  key: ObjectKey,
  open: OpenRun,
  decision: Decision,
  demands: readonly Demand[],
): Promise<PassEnd> {
  if (decision.labels[labels.completed] === "true") ports.runs.close(nameOf(key));
  const outcomes = await Promise.all(demands.map((demand) => carryOut(ports, demand)));
  let refused = "";
  for (const outcome of outcomes) {
    if (outcome === undefined) continue;
    open.tell({ kind: "outcome", outcome });
    if (outcome.result.kind === "refused-for-now") refused = outcome.result.message;
  }
  if (refused !== "") return { kind: "later", why: refused };
  if (open.hasNews) return { kind: "again" };
  return decision.wakeAt === undefined ? done : { kind: "wake", at: decision.wakeAt };
}

/** Someone else wrote first: nothing is decided again before our own view shows at least what is there now. */
async function readAgain(ports: PassPorts, key: ObjectKey): Promise<PassEnd> {
  try {
    ports.caches.wrote(workflows, await ports.client.get<Workflow>(workflows, key));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return { kind: "again" };
}

function nameOf(key: ObjectKey): string {
  return `${key.namespace ?? ""}/${key.name}`;
}
