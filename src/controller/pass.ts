/** One pass of one workflow: observe, facts, advance, save, carry out, in this order (design laws 1, 4, 6). */

import type { Decision, Demand, Run } from "../core/engine/contract.js";
import { labels } from "../core/model/argo/names.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import type { Client, ObjectKey } from "../kube/client.js";
import type { Clock } from "../kube/clock.js";
import { isConflict, isNotFound } from "../kube/errors.js";
import { keyText } from "../kube/key.js";
import { done, type Outcome } from "../kube/worker.js";
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

/** A save that starts nothing may wait this long for company. */
const COMPANY_MS = 250;
/** Needs can lead to further needs (a template that refers to a template); a chain longer than this is a defect. */
const NEED_ROUNDS_MAX = 1000;

/** Something that will pass keeps the workflow from going on; its key comes again after a growing backoff. */
export class NotNowError extends Error {
  override readonly name = "NotNowError";
}

const again: Outcome = { kind: "retry", afterMs: 0 };

/** Rejects when the API gave no answer; the run is then as it was, and what it was to be told is kept. */
export async function pass(ports: PassPorts, key: ObjectKey): Promise<Outcome> {
  const workflow = ports.caches.workflow(key);
  if (workflow === undefined || isOver(workflow)) {
    close(ports, key, workflow?.metadata.uid);
    return done;
  }
  if (!ports.caches.isCurrent(workflows, workflow)) return done;
  const open = openRunOf(ports, key, workflow);
  const lookAgainMs = await ports.results.settle(open);
  const decision = await decide(ports, open);
  const outcome = await inForce(ports, key, open, decision);
  return lookAgainMs === undefined ? outcome : sooner(outcome, ports.clock.now() + lookAgainMs);
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
  ports.results.firstLook(workflow);
  for (const change of firstLook(ports.caches, workflow)) open.tell(change);
  ports.runs.add(keyText(key), open);
  return open;
}

/** Advances until the engine lacks nothing; the last decision is staged. */
async function decide(ports: PassPorts, open: OpenRun): Promise<Decision> {
  const facts = new PassFacts(ports.client);
  const changes = open.take();
  for (let round = 0; round < NEED_ROUNDS_MAX; round++) {
    const decision = open.run.advance({ changes, now: ports.clock.now(), facts });
    if (decision.needs.length === 0) return decision;
    open.undo();
    await facts.answer(decision.needs);
  }
  throw new NotNowError("the engine asks for facts without end");
}

async function inForce(ports: PassPorts, key: ObjectKey, open: OpenRun, decision: Decision): Promise<Outcome> {
  if (isEmpty(decision)) {
    open.settle(open.revision, decision);
    return followUp(ports, key, open, decision, await unsavedDemands(ports, key, open, decision.demands));
  }
  if (!isUrgent(decision) && mayWait(ports.clock, open)) {
    open.undo();
    return { kind: "done", wakeAt: ports.clock.now() + COMPANY_MS };
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
): Promise<Outcome> {
  if (decision.labels[labels.completed] === "true") close(ports, key, open.uid);
  const outcomes = await Promise.all(demands.map((demand) => carryOut(ports, demand)));
  let refused = "";
  for (const outcome of outcomes) {
    if (outcome === undefined) continue;
    open.tell({ kind: "outcome", outcome });
    if (outcome.result.kind === "refused-for-now") refused = outcome.result.message;
  }
  if (refused !== "") throw new NotNowError(refused);
  if (open.hasNews) return again;
  return decision.wakeAt === undefined ? done : { kind: "done", wakeAt: decision.wakeAt };
}

/** Nothing is kept for a workflow that is over or gone. */
function close(ports: PassPorts, key: ObjectKey, uid: string | undefined): void {
  const known = ports.runs.close(keyText(key)) ?? uid;
  if (known !== undefined) ports.results.forget(known);
}

/** Someone else wrote first: nothing is decided again before our own view shows at least what is there now. */
async function readAgain(ports: PassPorts, key: ObjectKey): Promise<Outcome> {
  try {
    ports.caches.awaitView(workflows, await ports.client.get<Workflow>(workflows, key));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return again;
}

/** Where the pass has to come again for a reason of the shell's own, at the latest at `atMs`. */
function sooner(outcome: Outcome, atMs: number): Outcome {
  if (outcome.kind === "retry") return outcome;
  return { kind: "done", wakeAt: Math.min(outcome.wakeAt ?? Number.POSITIVE_INFINITY, atMs) };
}
