/** Checks of expressions before anything runs: syntax, and the names they use (Argo 4.1 behaviour 4.3). */

import { isBuiltin } from "../expr/builtins/names.js";
import { compileExpression } from "../expr/evaluate.js";
import { argoFunctions } from "../expr/functions.js";
import { identifiersIn } from "../expr/identifiers.js";
import { nearestName } from "../model/codec/suggest.js";
import { argoAccepts } from "./argo-accepts.js";
import { explainName, meantOf, wrongFamily } from "./explain-name.js";
import type { KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";

export interface ExpressionPlace {
  readonly source: string;
  readonly path: string;
  /** Where it stands decides which variables there are besides those of the place. */
  readonly place: "tag" | "field" | "retry" | "hook";
}

/** Argo finds none of these before the expression is run. */
export function checkExpression(expression: ExpressionPlace, names: KnownNames, spot: Spot): void {
  const { source, path } = expression;
  const compiled = compileExpression(source);
  if (!compiled.ok) {
    const [message = "", ...excerpt] = compiled.error.message.split("\n");
    const shown = excerpt.map((line) => line.replace(/^ \| /, ""));
    const hint = shown.length === 0 ? {} : { hint: shown.join("\n") };
    spot.tell({ code: "bad-expression", path, message: `the expression cannot be read: ${message}`, ...hint });
    return;
  }
  const told = new Set<string>();
  for (const { path: name, guarded } of identifiersIn(compiled.value.root)) {
    if (told.has(name)) continue;
    told.add(name);
    const fault = faultOf(name, names, expression.place, guarded);
    if (fault !== undefined) {
      spot.tell({ code: "unresolved", path, message: `${name} in the expression ${shortened(source)}`, hint: fault });
    }
  }
}

function shortened(source: string): string {
  const line = source.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** Variables that exist at some places only, or that others put in. */
const OTHER_ROOTS: ReadonlySet<string> = new Set([
  "item",
  "retries",
  "lastRetry",
  "status",
  "duration",
  "exitCode",
  "resourcesDuration",
  "outputs",
  "pod",
  "node",
  "request",
  "response",
  "data",
  "cronworkflow",
  "payload",
  "metadata",
  "namespace",
  "discriminator",
]);

type Fault = string | (() => string | undefined) | undefined;

function faultOf(name: string, names: KnownNames, place: ExpressionPlace["place"], guarded: boolean): Fault {
  const parts = name.split(".");
  const [root = ""] = parts;
  if (root === "sprig" || argoFunctions.has(root)) return functionFault(parts);
  if (isBuiltin(root) || OTHER_ROOTS.has(root) || root === "$env") return undefined;
  if (!ROOTS.includes(root)) return parts.length > 1 ? undefined : () => rootFault(root);
  if (guarded || place === "retry") return undefined;
  return variableFault(parts, names);
}

const ROOTS: readonly string[] = ["inputs", "workflow", "steps", "tasks"];

function rootFault(root: string): string {
  const functions = [...argoFunctions.keys()];
  return meantOf(root, [...ROOTS, "item", "outputs", "retries", "lastRetry", ...functions], "", "variables begin with");
}

function functionFault(parts: readonly string[]): Fault {
  const [root = "", member] = parts;
  const family = argoFunctions.get(root);
  if (!(family instanceof Map) || member === undefined || family.has(member)) return undefined;
  const near = nearestName(member, [...family.keys()].map(String));
  return near === undefined ? `${root} has no function ${member}` : `did you mean "${root}.${near}"?`;
}

/** How many parts a name has when it says which variable it means: `inputs.parameters.x`. */
function variableFault(parts: readonly string[], names: KnownNames): Fault {
  const [root] = parts;
  if (root === "workflow") return workflowFault(parts, names);
  return root === "inputs" ? inputFault(parts, names) : nodeFault(parts, names);
}

function inputFault(parts: readonly string[], names: KnownNames): Fault {
  const name = parts.join(".");
  if (parts.length !== 3 || isLeafPath(parts) || argoAccepts(name, names)) return undefined;
  return () => explainName(name, names);
}

function nodeFault(parts: readonly string[], names: KnownNames): Fault {
  const [root, second] = parts;
  const name = parts.join(".");
  if (names.nodes?.word !== root) return parts.length === 1 ? wrongFamily(names) : undefined;
  if (parts.length === 2) {
    const known =
      second === undefined ||
      second === "name" ||
      names.nodes?.byName.has(second) === true ||
      names.nodes?.any === true;
    return known ? undefined : () => explainName(name, names);
  }
  return parts.length === 5 && !argoAccepts(name, names) ? () => explainName(name, names) : undefined;
}

function isLeafPath(parts: readonly string[]): boolean {
  return parts[1] === "artifacts" && parts[2] === "path";
}

function workflowFault(parts: readonly string[], names: KnownNames): Fault {
  const [, second] = parts;
  if (parts.length === 3 && second === "parameters") {
    const name = parts.join(".");
    return argoAccepts(name, names) || parts[2] === "json" ? undefined : () => explainName(name, names);
  }
  const maps = ["parameters", "outputs", "labels", "annotations", "failures", "priority"];
  if (parts.length !== 2 || second === undefined || maps.includes(second)) return undefined;
  const name = parts.join(".");
  return argoAccepts(name, names) ? undefined : () => explainName(name, names);
}
