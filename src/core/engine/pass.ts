/** One advance: what it may know, and what it decides as it goes. */

import type { ExprContext } from "../expr/index.js";
import { podNameOf } from "../model/argo/names.js";
import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow, WorkflowSpec, WorkflowStatus } from "../model/argo/workflow.js";
import type { GlobalVariables, TemplateSource } from "../template/index.js";
import type { Demand, Facts, Need } from "./contract.js";
import type { Frame, Frames } from "./frames.js";
import type { NodeTable } from "./nodes/table.js";
import type { Observations } from "./observations.js";
import type { EngineOptions } from "./options.js";

/** Where the engine stands: one call, its template bound to its arguments. */
export interface At {
  readonly pass: Pass;
  readonly frame: Frame;
  readonly template: Template;
}

/** Why a call did not get on, beyond what its node says. */
export type Stop =
  /** A limit was reached; nothing was begun. */
  | { readonly kind: "parallelism" }
  /** Templates inside one another without end; the node says so. */
  | { readonly kind: "depth" }
  /** The template's `timeout` or `pendingTimeout`. */
  | { readonly kind: "timeout"; readonly message: string }
  /** A fact is missing; the decision asks for it. */
  | { readonly kind: "need" }
  | { readonly kind: "error"; readonly message: string };

export interface Executed {
  readonly node: NodeStatus | undefined;
  readonly stop?: Stop;
}

/** Fields of status other than `nodes`. */
export type StatusFields = Omit<WorkflowStatus, "nodes">;

export interface Globals {
  readonly variables: GlobalVariables;
  /** Counts up when a variable changes, so that what was made with an older one is made again. */
  version: number;
}

export interface Pass {
  readonly workflow: Workflow;
  /** Merged, and global tags replaced outside the templates. */
  readonly spec: WorkflowSpec;
  readonly source: TemplateSource;
  readonly options: EngineOptions;
  /** Milliseconds since the epoch, and the same as RFC 3339 text. */
  readonly now: number;
  readonly timestamp: string;
  readonly facts: Facts;
  readonly nodes: NodeTable;
  readonly frames: Frames;
  readonly observations: Observations;
  readonly globals: Globals;
  /** Staged: what the status will say. */
  status: StatusFields;
  readonly labels: Record<string, string | null>;
  readonly annotations: Record<string, string | null>;
  readonly needs: Map<string, Need>;
  /** By what is asked for: a part that is carried on twice in a pass asks once. */
  readonly demands: Map<string, Demand>;
  /** Times at which something that no frame stands for must be looked at. */
  readonly wakes: number[];
  /** Milliseconds since the epoch; undefined without activeDeadlineSeconds. */
  deadline: number | undefined;
  /**
   * First what is new is taken up, then something new may begin: so that who gets a free place does not depend on
   * which news came with which.
   */
  begins: boolean;
  /** Carries a call on; here so that kinds can call templates without knowing one another. */
  readonly execute: (frame: Frame) => Executed;
  /** Begins or goes on with the work of a call that is bound, past retries and limits. */
  readonly runKind: (at: At, known: NodeStatus | undefined) => Executed;
}

export function addNeed(pass: Pass, need: Need): void {
  pass.needs.set(JSON.stringify(need), need);
}

export function addDemand(pass: Pass, demand: Demand): void {
  pass.demands.set(`${demand.kind} ${wantedBy(demand)}`, demand);
}

function wantedBy(demand: Demand): string {
  switch (demand.kind) {
    case "create-pod":
      return demand.nodeId;
    case "create-pvc":
      return demand.claim.metadata.name ?? "";
    case "delete-pvc":
      return demand.name;
  }
}

/** Chance is derived from the workflow and the node, so that a pass that is repeated says the same. */
export function exprContext(pass: Pass, nodeName: string): ExprContext {
  return { now: pass.now, seed: `${pass.workflow.metadata.uid ?? ""}/${nodeName}` };
}

/** The name of a node's pod; it takes the salt of the node's ID. */
export function podNameFor(pass: Pass, nodeName: string, templateName: string): string {
  return podNameOf(pass.workflow.metadata.name ?? "", nodeName, templateName, pass.nodes.saltFor(nodeName));
}

export function nodeById(pass: Pass, id: NodeId | undefined): NodeStatus | undefined {
  return id === undefined ? undefined : pass.nodes.get(id);
}

export function shutdownOf(pass: Pass): "Stop" | "Terminate" | undefined {
  const strategy = pass.workflow.spec.shutdown;
  return strategy === undefined || strategy === "" ? undefined : strategy;
}

/** Argo's words for what a shutdown ends or keeps from beginning; undefined without one. */
export function shutdownMessage(pass: Pass): string | undefined {
  const strategy = shutdownOf(pass);
  return strategy === undefined ? undefined : `Stopped with strategy '${strategy}'`;
}

/** What may still run under a shutdown: exit handlers under Stop, nothing under Terminate (Argo 4.1 behaviour 3.12). */
export function mayExecute(pass: Pass, isOnExit: boolean): boolean {
  const strategy = shutdownOf(pass);
  return strategy === undefined || (strategy === "Stop" && isOnExit);
}

/** `spec.suspend`: what runs goes on, nothing new begins (Argo 4.1 behaviour 3.24). */
export function isSuspended(pass: Pass): boolean {
  return pass.workflow.spec.suspend === true && shutdownOf(pass) === undefined;
}

export function isPastDeadline(pass: Pass): boolean {
  return pass.deadline !== undefined && pass.now > pass.deadline;
}
