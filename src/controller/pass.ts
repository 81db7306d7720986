/** One pass of one workflow: observe, facts, advance, save, carry out, in this order (design laws 1, 4, 6). */

import type { Decision, Demand, DemandOutcome, Run } from "../core/engine/contract.js";
import { claimsLeftOf } from "../core/engine/index.js";
import { labels } from "../core/model/argo/names.js";
import type { NodeId } from "../core/model/argo/node.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import { rfc3339OfMs } from "../core/std/time.js";
import type { Client, ObjectKey } from "../kube/client.js";
import { type Clock, momentAfter } from "../kube/clock.js";
import { ApiError, isConflict, isNotFound, isTooLarge } from "../kube/errors.js";
import { keyText } from "../kube/key.js";
import { done, type Outcome } from "../kube/worker.js";
import type { Caches } from "./caches.js";
import { carryOut } from "./carry-out.js";
import { PassFacts } from "./facts.js";
import { firstLook } from "./observe.js";
import { OpenRun, type OpenRuns } from "./open-runs.js";
import { isUrgent, patchOf, save } from "./save.js";
import { knownNodes } from "./stored-nodes.js";
import type { TaskResultReader } from "./task-results.js";
import { tooLargeEnd } from "./too-large.js";

export interface PassPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly caches: Caches;
  readonly runs: OpenRuns;
  readonly results: TaskResultReader;
  /** Told of a pod whose name is wanted for another, see {@link carryOut}. */
  podInTheWay(uid: string): void;
  /** Opens the engine on a saved workflow. */
  open(workflow: Workflow): Run;
  /**
   * Told of each run that was opened on a saved status which this process did not knowingly save: others wrote it, or a
   * save got no answer and was done all the same. Its pods are disposed of by what stands there now.
   */
  opened(workflowUid: string): void;
  /**
   * Told of each save, before it is in force: Kubernetes events come from the difference, and the pods of nodes whose outcome
   * now stands in the saved workflow can be disposed of.
   */
  saved(open: OpenRun): void;
}

/** A save that starts nothing may wait this long for company. */
const COMPANY_MS = 250;
/** Demands that are sent along with a save. A crowd gains nothing, and thousands of events at once outrun watchers. */
const ALONG_MAX = 16;
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
  const nodes = knownNodes(workflow);
  if (nodes.kind === "elsewhere") throw new NotNowError(nodes.why);
  if (nodes.kind === "broken") return endBroken(ports, key, workflow, nodes.why);
  const open = openRunOf(ports, key, workflow);
  const lookAgainMs = await ports.results.settle(open);
  const { wakeAt } = open.standing(ports.clock.now()) ?? (await decide(ports, open));
  const outcome = await inForce(ports, key, open, wakeAt);
  return lookAgainMs === undefined ? outcome : sooner(outcome, momentAfter(ports.clock, lookAgainMs));
}

/**
 * Completed workflows are not looked at again, once they have given back their claims: a retry takes the label off (Argo
 * 4.1 behaviour 3.4).
 */
function isOver(workflow: Workflow): boolean {
  return workflow.metadata.labels?.[labels.completed] === "true" && claimsLeftOf(workflow).length === 0;
}

/** Argo ends it as well (4.1 behaviour 3.4). A conflict: decided again when it is seen. */
async function endBroken(ports: PassPorts, key: ObjectKey, workflow: Workflow, why: string): Promise<Outcome> {
  const { uid = "", resourceVersion = "" } = workflow.metadata;
  const status = { phase: "Error", message: why, finishedAt: rfc3339OfMs(ports.clock.now()) };
  const ended = { [labels.phase]: "Error", [labels.completed]: "true" };
  await save(ports.client, key, { metadata: { uid, resourceVersion, labels: ended }, status });
  return done;
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
  // Of an earlier workflow of that name nothing is kept either.
  close(ports, key, undefined);
  const open = new OpenRun(workflow, ports.open(workflow));
  ports.results.firstLook(workflow);
  for (const change of firstLook(ports.caches, workflow)) open.tell(change);
  ports.runs.add(keyText(key), open);
  ports.opened(open.uid);
  return open;
}

/** Advances until the engine lacks nothing, and takes its decision over. */
async function decide(ports: PassPorts, open: OpenRun): Promise<Decision> {
  const facts = new PassFacts(ports.client);
  const changes = open.take();
  try {
    for (let round = 0; round < NEED_ROUNDS_MAX; round++) {
      const decision = open.run.advance({ changes, now: ports.clock.now(), facts });
      if (decision.needs.length === 0) {
        open.accept(decision, ports.clock.monotonic());
        return decision;
      }
      open.run.rollback();
      await facts.answer(decision.needs);
    }
    throw new NotNowError("the engine asks for facts without end");
  } catch (error) {
    open.giveBack(changes);
    throw error;
  }
}

/**
 * Saves what was decided, then carries out what it demands: where the server tells that the save has its place before
 * whatever is written next, without waiting until it is durable (decision 17).
 */
async function inForce(ports: PassPorts, key: ObjectKey, open: OpenRun, wakeAt: number | undefined): Promise<Outcome> {
  const next: Outcome = wakeAt === undefined ? done : { kind: "done", wakeAt };
  if (!open.hasUnsaved) {
    return (await isAsSeen(ports, key, open)) ? followUp(open, next, begin(ports, open)) : openAnew(ports, key, open);
  }
  const waitMs = companyMs(ports.clock, open);
  if (waitMs > 0) return sooner(next, momentAfter(ports.clock, waitMs));
  let saved: Workflow;
  let begun: CarriedOut | undefined;
  try {
    saved = await saveOrEnd(ports, key, open, () => {
      if (open.unsaved.demands.length <= ALONG_MAX) begun = begin(ports, open);
    });
  } catch (error) {
    // What it demands has been sent: the run is no longer as it was.
    if (begun !== undefined) close(ports, key, open.uid);
    return notSaved(ports, key, open, error);
  }
  ports.saved(open);
  open.saved(saved.metadata.resourceVersion ?? "");
  if (isOver(saved)) close(ports, key, open.uid);
  return followUp(open, next, begun ?? begin(ports, open));
}

async function notSaved(ports: PassPorts, key: ObjectKey, open: OpenRun, error: unknown): Promise<Outcome> {
  if (isConflict(error)) return openAnew(ports, key, open);
  if (!isNotFound(error)) throw error;
  close(ports, key, open.uid);
  return done;
}

/** A status that is too large is saved compressed; where that is too large as well, the workflow ends instead. */
async function saveOrEnd(ports: PassPorts, key: ObjectKey, open: OpenRun, onOrdered: () => void): Promise<Workflow> {
  try {
    return await save(ports.client, key, patchOf(open), { onOrdered });
  } catch (error) {
    if (!(error instanceof ApiError && isTooLarge(error))) throw error;
    if (open.nodesForm === "plain" && open.unsaved.nodesBefore.size > 0) {
      open.nodesForm = "compressed";
      return saveOrEnd(ports, key, open, onOrdered);
    }
    open.replaceUnsaved(tooLargeEnd(open, error.message, ports.clock.now()));
    // The run is ahead of what is saved now, and of no more use.
    close(ports, key, open.uid);
    return save(ports.client, key, patchOf(open));
  }
}

/** How long the save may still wait; 0: not at all. */
function companyMs(clock: Clock, open: OpenRun): number {
  const since = open.unsavedSince ?? clock.monotonic();
  return isUrgent(open) ? 0 : Math.max(0, since + COMPANY_MS - clock.monotonic());
}

/**
 * Demands without a save were lost in a crash or refused before. Claims, and the pods of attempts that this process did not
 * itself save just now, are made only when a live read shows the workflow just as we see it (design law 6).
 */
async function isAsSeen(ports: PassPorts, key: ObjectKey, open: OpenRun): Promise<boolean> {
  const { demands } = open.unsaved;
  const needsNoLook = (demand: Demand): boolean =>
    demand.kind === "delete-pvc" || (demand.kind === "create-pod" && open.startedHere(demand.nodeId));
  if (demands.every(needsNoLook)) return true;
  const live = await liveWorkflow(ports, key);
  return live?.metadata.uid === open.uid && live.metadata.resourceVersion === open.revision;
}

type CarriedOut = Promise<readonly DemandOutcome[]>;

function begin(ports: PassPorts, open: OpenRun): CarriedOut {
  return Promise.all(wantedOf(open).map((demand) => carryOut(ports, demand, open.current)));
}

async function followUp(open: OpenRun, next: Outcome, begun: CarriedOut): Promise<Outcome> {
  let refused = "";
  for (const outcome of await begun) {
    open.tell({ kind: "outcome", outcome });
    if (outcome.result.kind === "refused-for-now") refused = outcome.result.message;
  }
  if (refused !== "") throw new NotNowError(refused);
  return open.hasNews ? again : next;
}

/**
 * A workflow that is being deleted gets no more pods: its pods are going, and one made anew would hold it up. Nor does a
 * node that was settled while the save of its beginning waited.
 */
function wantedOf(open: OpenRun): readonly Demand[] {
  const isGoing = open.run.workflow.metadata.deletionTimestamp !== undefined;
  const mayStart = (id: NodeId): boolean => !isGoing && open.run.node(id)?.phase === "Pending";
  return open.takeDemands().filter((demand) => demand.kind !== "create-pod" || mayStart(demand.nodeId));
}

/** Nothing is kept for a workflow that is over or gone. */
function close(ports: PassPorts, key: ObjectKey, uid: string | undefined): void {
  const known = ports.runs.close(keyText(key)) ?? uid;
  if (known !== undefined) ports.results.forget(known);
}

/**
 * Someone else wrote first: the run is opened anew once our view shows at least what is there now. Another UID is
 * another workflow, which our view will show by itself (lessons A-12); where nobody wrote, the next try would only be
 * refused as this one was, and has to wait.
 */
async function openAnew(ports: PassPorts, key: ObjectKey, open: OpenRun): Promise<Outcome> {
  close(ports, key, open.uid);
  const live = await liveWorkflow(ports, key);
  if (live?.metadata.uid !== open.uid) return done;
  if (live.metadata.resourceVersion === open.revision) throw new NotNowError("refused, though nobody else wrote");
  ports.caches.awaitView(workflows, live);
  return again;
}

/** Undefined: there is none of that name. */
async function liveWorkflow({ client }: PassPorts, key: ObjectKey): Promise<Workflow | undefined> {
  try {
    return await client.get<Workflow>(workflows, key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Where the pass has to come again for a reason of the shell's own, at the latest at `atMs`. */
function sooner(outcome: Outcome, atMs: number): Outcome {
  if (outcome.kind === "retry") return outcome;
  return { kind: "done", wakeAt: Math.min(outcome.wakeAt ?? Number.POSITIVE_INFINITY, atMs) };
}
