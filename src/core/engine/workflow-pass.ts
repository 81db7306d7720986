/** One pass over a whole workflow: entry, hooks, exit handler, end (Argo 4.1 behaviour 3.4). */

import { type FinalPhase, isFinal } from "../model/argo/final-phase.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { LifecycleHook } from "../model/argo/template.js";
import { msOfRfc3339 } from "../std/time.js";
import { evaluateConditionIn } from "../template/index.js";
import { ensureClaims, giveBackClaims } from "./claims.js";
import { failuresOf } from "./failures.js";
import type { Frame } from "./frames.js";
import { exitHookName } from "./hooks.js";
import { takeLateEnds } from "./late.js";
import { addChild } from "./nodes/children.js";
import { isFulfilled } from "./nodes/phases.js";
import { type Executed, exprContext, isPastDeadline, mayExecute, type Pass, shutdownMessage } from "./pass.js";
import { finishWorkflow, sumUp } from "./status.js";

/** A pass that frees places for others goes round again; more rounds than nodes would be a defect. */
const ROUNDS_MAX = 100_000;

/** Moves the workflow on as far as it goes now. */
export function passWorkflow(pass: Pass): void {
  takeLateEnds(pass);
  if (!isFinal(pass.status.phase)) work(pass);
  takeLateEnds(pass);
  if (isFinal(pass.status.phase)) giveBackClaims(pass);
  dropSettledDemands(pass);
  sumUp(pass);
}

function work(pass: Pass): void {
  const claims = ensureClaims(pass);
  if (claims.kind === "failed") finishWorkflow(pass, "Error", claims.message);
  if (claims.kind === "waiting") waitForClaims(pass, claims.message);
  if (claims.kind === "ready") workAtEntry(pass);
}

function workAtEntry(pass: Pass): void {
  if (pass.deadline !== undefined && !isPastDeadline(pass)) pass.wakes.push(pass.deadline + 1);
  const frame = entryFrame(pass);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const entry = runToRest(pass, frame);
    if (entry.stop?.kind === "error") {
      finishWorkflow(pass, "Error", `error in entry template execution: ${entry.stop.message}`);
      return;
    }
    if (pass.needs.size > 0) return;
    const before = pass.nodes.releases;
    afterEntry(pass, entry.node);
    // A hook of the workflow that ended may be all that the entry, or a place in it, was waiting for.
    if (isFinal(pass.status.phase) || pass.nodes.releases === before) return;
    pass.frames.unblock();
    pass.frames.mark(frame);
  }
}

function afterEntry(pass: Pass, entry: NodeStatus | undefined): void {
  setRuntimeVariables(pass, entry);
  const hooks = runWorkflowHooks(pass);
  if (hooks.kind === "error") finishWorkflow(pass, "Error", hooks.message);
  if (hooks.kind !== "done" || entry === undefined || !isFulfilled(entry)) return;
  const exit = runWorkflowExit(pass);
  if (exit.kind === "error") finishWorkflow(pass, "Error", exit.message);
  if (exit.kind === "done") end(pass, entry, exit.node);
}

function end(pass: Pass, entry: NodeStatus, exit: NodeStatus | undefined): void {
  const phase = finalPhaseOf(entry);
  if (phase !== "Succeeded") {
    finishWorkflow(pass, phase, shutdownMessage(pass) ?? entry.message);
  } else if (exit?.phase === "Failed" || exit?.phase === "Error") {
    finishWorkflow(pass, exit.phase, exit.message);
  } else {
    finishWorkflow(pass, "Succeeded", undefined);
  }
}

function finalPhaseOf({ phase }: NodeStatus): FinalPhase {
  return phase === "Failed" || phase === "Error" ? phase : "Succeeded";
}

function entryFrame(pass: Pass): Frame {
  return pass.frames.open(
    {
      nodeName: pass.workflow.metadata.name ?? "",
      invocation: { template: pass.spec.entrypoint ?? "" },
      invokedAs: "step",
      source: pass.source,
      args: pass.spec.arguments ?? {},
      boundaryId: undefined,
      nodeFlag: undefined,
      onExit: false,
    },
    undefined,
  );
}

/** Carries a top frame on until nothing in it has news: what one part frees, another may take in the same pass. */
function runToRest(pass: Pass, frame: Frame): Executed {
  let executed: Executed = { node: pass.nodes.named(frame.call.nodeName) };
  pass.begins = false;
  for (let round = 0; round < ROUNDS_MAX && (frame.isDirty || !pass.begins); round++) {
    const before = pass.nodes.releases;
    if (frame.isDirty) executed = pass.execute(frame);
    if (executed.stop?.kind === "parallelism") pass.frames.block(frame);
    if (executed.stop?.kind === "error" || pass.needs.size > 0) return executed;
    if (!pass.begins || pass.nodes.releases !== before) pass.frames.unblock();
    pass.begins = true;
  }
  return executed;
}

function waitForClaims(pass: Pass, message: string | undefined): void {
  if (message === undefined || pass.status.message === message) return;
  pass.status = { ...pass.status, message };
}

/** `workflow.status` and the like: what hooks and exit handlers ask for. */
function setRuntimeVariables(pass: Pass, entry: NodeStatus | undefined): void {
  const { texts } = pass.globals.variables;
  const status = entry === undefined || !isFulfilled(entry) ? "Running" : finalPhaseOf(entry);
  const start = msOfRfc3339(pass.status.startedAt ?? "") ?? pass.now;
  texts.set("workflow.duration", ((pass.now - start) / 1000).toFixed(6));
  if (texts.get("workflow.status") !== status) {
    texts.set("workflow.status", status);
    pass.globals.version++;
  }
  if (status !== "Running" && !texts.has("workflow.failures")) {
    texts.set("workflow.failures", failuresOf(pass));
    pass.globals.version++;
  }
}

type Called =
  | { readonly kind: "done"; readonly node: NodeStatus | undefined }
  | { readonly kind: "open" }
  | { readonly kind: "error"; readonly message: string };

const DONE: Called = { kind: "done", node: undefined };

function runWorkflowHooks(pass: Pass): Called {
  let result: Called = DONE;
  for (const [name, hook] of Object.entries(pass.spec.hooks ?? {})) {
    if (name === exitHookName) continue;
    const nodeName = `${pass.workflow.metadata.name ?? ""}.hooks.${name}`;
    if ((hook.expression ?? "") === "") return { kind: "error", message: `Expression required for hook ${nodeName}` };
    const holds = evaluateConditionIn(hook.expression ?? "", pass.globals.variables.texts, exprContext(pass, nodeName));
    if (!holds.ok) return { kind: "error", message: holds.error };
    if (!holds.value && pass.nodes.named(nodeName) === undefined) continue;
    const called = callAtTop(pass, hook, { nodeName, onExit: false });
    if (called.kind === "error") return called;
    if (called.kind === "open") result = called;
  }
  return result;
}

function runWorkflowExit(pass: Pass): Called {
  const hook = exitHookOf(pass);
  if (hook === undefined || !mayExecute(pass, true)) return DONE;
  const nodeName = `${pass.workflow.metadata.name ?? ""}.onExit`;
  if ((hook.expression ?? "") !== "") {
    const holds = evaluateConditionIn(hook.expression ?? "", pass.globals.variables.texts, exprContext(pass, nodeName));
    if (!holds.ok) return { kind: "error", message: holds.error };
    if (!holds.value && pass.nodes.named(nodeName) === undefined) return DONE;
  }
  return callAtTop(pass, hook, { nodeName, onExit: true });
}

/** `hooks.exit`, or onExit; the workflow's arguments where it has none. */
function exitHookOf({ spec }: Pass): LifecycleHook | undefined {
  const args = spec.arguments === undefined ? {} : { arguments: spec.arguments };
  const hook = spec.hooks?.[exitHookName];
  if (hook !== undefined) return { ...args, ...hook };
  return (spec.onExit ?? "") === "" ? undefined : { template: spec.onExit ?? "", ...args };
}

function callAtTop(
  pass: Pass,
  hook: LifecycleHook,
  { nodeName, onExit }: { readonly nodeName: string; readonly onExit: boolean },
): Called {
  const frame = pass.frames.open(
    {
      nodeName,
      invocation: {
        ...(hook.template === undefined ? {} : { template: hook.template }),
        ...(hook.templateRef === undefined ? {} : { templateRef: hook.templateRef }),
      },
      invokedAs: "step",
      source: pass.source,
      args: hook.arguments ?? {},
      boundaryId: undefined,
      nodeFlag: { hooked: true },
      onExit,
    },
    undefined,
  );
  const { node, stop } = runToRest(pass, frame);
  if (node !== undefined && !onExit) joinEntry(pass, node);
  if (stop?.kind === "error") return { kind: "error", message: stop.message };
  if (stop?.kind === "parallelism") pass.frames.block(frame);
  return node !== undefined && isFulfilled(node) ? { kind: "done", node } : { kind: "open" };
}

/** A hook of the workflow is a child of its entry node. */
function joinEntry(pass: Pass, hook: NodeStatus): void {
  const entry = pass.nodes.named(pass.workflow.metadata.name ?? "");
  if (entry !== undefined) addChild(pass, entry, hook.id);
}

/** A node that was settled in the same pass as its pod was asked for wants none. */
function dropSettledDemands(pass: Pass): void {
  for (const [wanted, demand] of pass.demands) {
    if (demand.kind === "create-pod" && !pass.nodes.open.has(demand.nodeId)) pass.demands.delete(wanted);
  }
}
