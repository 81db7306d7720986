/** Rules for lifecycle hooks and exit handlers of steps, tasks and workflows (Argo 4.1 behaviour 3.11, 3.12; lessons G.1, 15). */

import type { Arguments, Invocation, LifecycleHook } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import { checkArguments } from "./arguments.js";
import type { FoundTemplate, Validation } from "./context.js";
import { checkExpression } from "./expressions.js";
import { type Call, findTemplate } from "./find-template.js";
import { checkGiven, tellUnused } from "./given-arguments.js";
import type { KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";
import { sortedEntries } from "./tags.js";

type Hooks = Readonly<Record<string, LifecycleHook>> | undefined;

export const exitHook = "exit";

export function hasExitHook({ hooks, onExit = "" }: Pick<Invocation, "hooks" | "onExit">): boolean {
  return onExit !== "" || (hooks !== undefined && Object.hasOwn(hooks, exitHook));
}

/** All but the exit hook need a condition. `argo` begins Argo's text, where it looks. */
export function checkHookConditions(hooks: Hooks, path: string, argo: string | undefined, spot: Spot): void {
  for (const [name, hook] of sortedEntries(hooks)) {
    if (name === exitHook || (hook.expression ?? "") !== "") continue;
    const text = argo === undefined ? {} : { argo: `${argo}.${name} Expression required` };
    spot.tell({
      code: "missing-field",
      path: fieldPath(fieldPath(path, "hooks"), name),
      message: `hook "${name}" has no expression`,
      hint: 'add expression: workflow.status == "Running", or call the hook exit',
      ...text,
    });
  }
}

export interface HookPlace {
  /** What finds templates from where the hooks stand. */
  readonly call: Omit<Call, "names" | "path" | "namePath" | "spot">;
  /** Of the step, task or spec that has them. */
  readonly path: string;
  readonly names: KnownNames;
  readonly spot: Spot;
  /** What the exit hook gets when it names no arguments: for a workflow, its own. */
  readonly exitArguments: Arguments;
}

/** Templates that hooks name must be there; Argo only looks when a hook fires. */
export function checkHookTemplates(
  validation: Validation,
  { hooks, onExit = "" }: Pick<Invocation, "hooks" | "onExit">,
  place: HookPlace,
): void {
  const spot = place.spot.unseen();
  for (const [name, hook] of sortedEntries(hooks)) {
    const path = fieldPath(fieldPath(place.path, "hooks"), name);
    const { expression = "", arguments: args } = hook;
    if (expression !== "" && !expression.includes("{{")) {
      checkExpression({ source: expression, path: fieldPath(path, "expression"), place: "hook" }, place.names, spot);
    }
    const argumentsPath = fieldPath(path, "arguments");
    checkArguments(args, { path: argumentsPath, argo: "", values: "required", givenBy: "file" }, spot);
    const found = findTemplate(validation, { ...plain, ...place.call, names: hook, path, spot });
    if (typeof found === "string") continue;
    checkGiven(found, { arguments: args ?? (name === exitHook ? place.exitArguments : {}), path, spot });
    tellUnused(found, { arguments: args ?? {}, path, spot });
    visitLater(validation, found);
  }
  if (onExit === "") return;
  const path = fieldPath(place.path, "onExit");
  const call = { ...plain, ...place.call, names: { template: onExit }, path: place.path, namePath: path, spot };
  const found = findTemplate(validation, call);
  if (typeof found !== "string") visitLater(validation, found);
}

function visitLater(validation: Validation, found: FoundTemplate): void {
  if (!validation.walked.has(found.template)) validation.later.push(() => validation.visit(found));
}
