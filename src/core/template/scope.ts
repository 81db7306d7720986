/** The variables a composite template's parts may use: inputs, and what earlier steps or tasks left (Argo 4.1 behaviour 4.5). */

import type { Scope, ScopeValue } from "../expr/index.js";
import type { Artifact } from "../model/argo/artifact.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Outputs, Template } from "../model/argo/template.js";
import type { Json } from "../std/json.js";
import { layered } from "./layered-scope.js";

/** Variables of one composite node while it is worked on; grows as its parts finish. */
export class LocalScope {
  /** Texts, and `null` for what is absent. */
  readonly variables = new Map<string, ScopeValue>();
  /** Kept apart: a tag cannot stand for an artifact, only `from` and expressions of artifacts can. */
  readonly artifacts = new Map<string, ScopeValue>();

  set(name: string, value: ScopeValue): void {
    this.variables.set(name, value);
  }

  /** `<prefix>.id`, `.status`, `.outputs.…` and so on, as far as the node has them. */
  addNode(prefix: string, node: NodeStatus): void {
    const attributes: readonly (readonly [string, string | undefined])[] = [
      ["id", node.id],
      ["startedAt", node.startedAt],
      ["finishedAt", node.finishedAt],
      ["ip", node.podIP],
      ["status", node.phase],
      ["hostNodeName", node.hostNodeName],
    ];
    for (const [name, value] of attributes) {
      if (value !== undefined && value !== "") this.set(`${prefix}.${name}`, value);
    }
    this.addOutputs(prefix, node.outputs);
  }

  addOutputs(prefix: string, outputs: Outputs | undefined): void {
    if (outputs === undefined) return;
    if (outputs.result !== undefined) this.set(`${prefix}.outputs.result`, outputs.result);
    if (outputs.exitCode !== undefined) this.set(`${prefix}.exitCode`, outputs.exitCode);
    for (const { name, value } of outputs.parameters ?? []) {
      if (value !== undefined) this.set(`${prefix}.outputs.parameters.${name}`, value);
    }
    for (const artifact of outputs.artifacts ?? []) {
      this.artifacts.set(`${prefix}.outputs.artifacts.${artifact.name}`, toJson(artifact));
    }
  }

  /** What a skipped or omitted producer declares: its defaults, and `null` for what is absent. */
  addAbsentOutputs(prefix: string, outputs: Outputs | undefined): void {
    for (const { name, valueFrom } of outputs?.parameters ?? []) {
      const key = `${prefix}.outputs.parameters.${name}`;
      if (!this.variables.has(key)) this.set(key, valueFrom?.default ?? null);
    }
  }

  addInputs(template: Template): void {
    for (const { name, value } of template.inputs?.parameters ?? []) {
      if (value !== undefined) this.set(`inputs.parameters.${name}`, value);
    }
    for (const artifact of template.inputs?.artifacts ?? []) {
      this.artifacts.set(`inputs.artifacts.${artifact.name}`, toJson(artifact));
    }
  }

  /** Below the local variables, the workflow's. */
  over(globals: Variables): Variables {
    return {
      texts: layered(globals.texts, this.variables),
      artifacts: layered(globals.artifacts, this.artifacts),
    };
  }
}

/** What may be named: by tags and expressions, and by references to artifacts. */
export interface Variables {
  readonly texts: Scope;
  readonly artifacts: Scope;
}

/** Both together, for references to artifacts and the expressions that choose one. */
export function withArtifacts({ texts, artifacts }: Variables): Scope {
  return layered(texts, artifacts);
}

/** The same variables with others on top. */
export function extendScope(scope: Scope, entries: Iterable<readonly [string, ScopeValue]>): Scope {
  return layered(scope, new Map(entries));
}

/** A typed value as plain JSON; what JSON cannot hold becomes `null`. */
export function toJson(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object") return null;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, toJson(one)]));
}

/** An artifact that went through a scope. */
export function isArtifact(value: unknown): value is Artifact {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}
