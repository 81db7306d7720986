/** Rules for the tasks of a DAG among one another (Argo 4.1 behaviour 10.6). */

import { taskResults } from "../expr/depends.js";
import { nearestName } from "../model/codec/suggest.js";
import { fieldPath, itemPath } from "../model/path.js";
import { checkTags } from "./check-tags.js";
import { meantOf } from "./explain-name.js";
import type { KnownNames } from "./known-names.js";
import { isLoopUnread } from "./loops.js";
import { holdsVariable } from "./offers.js";
import type { Spot } from "./report.js";
import { tagsIn } from "./tags.js";
import type { TaskGraph, TaskNode } from "./task-graph.js";

export interface GraphPlace {
  /** Of the template. */
  readonly name: string;
  /** The path of the tasks. */
  readonly list: string;
  readonly spot: Spot;
  /** There may be more tasks than could be read. */
  readonly anyTask: boolean;
}

/** Argo sorts the tasks first, and says what keeps it from that. */
export function checkGraph(graph: TaskGraph, { name, list, spot, anyTask }: GraphPlace): void {
  const argo = `templates.${name} sorting failed: `;
  for (const { task, index } of graph.nodes) {
    if (graph.byName.get(task.name)?.index === index || task.name === "") continue;
    const message = `two of the tasks are called "${task.name}"`;
    const path = fieldPath(itemPath(list, index), "name");
    spot.tell({ code: "duplicate-name", path, message, argo: `${argo}duplicated nodeName ${task.name}` });
  }
  for (const node of graph.nodes) {
    for (const other of node.waitsFor) {
      if (anyTask || graph.byName.has(other)) continue;
      const path = placeOfDependency(node, other, itemPath(list, node.index));
      const message = `there is no task "${other}"`;
      const hint = (): string => WORDS[other.toUpperCase()] ?? meantOf(other, graph.byName.keys(), "", "the tasks are");
      spot.tell({ code: "no-template", path, message, hint, argo: `${argo}invalid dependency ${other}` });
    }
  }
  if (graph.cycle === undefined) return;
  const [first = ""] = graph.cycle;
  const path = itemPath(list, graph.byName.get(first)?.index ?? 0);
  const message = `tasks wait for one another: ${shortWay(graph.cycle)}`;
  spot.tell({ code: "cycle", path, message, argo: `${argo}graph with cycle` });
}

/** What people write between the names of tasks. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  AND: "write && between task names",
  OR: "write || between task names",
  NOT: "write ! before a task's name",
};

const WAY_MAX = 12;

function shortWay(names: readonly string[]): string {
  if (names.length <= WAY_MAX) return names.join(" -> ");
  return `${names.slice(0, WAY_MAX - 1).join(" -> ")} -> … -> ${names.at(-1) ?? ""}`;
}

function placeOfDependency({ task }: TaskNode, other: string, path: string): string {
  if ((task.depends ?? "") !== "") return fieldPath(path, "depends");
  const at = (task.dependencies ?? []).indexOf(other);
  return itemPath(fieldPath(path, "dependencies"), Math.max(at, 0));
}

export interface TaskPlace {
  readonly path: string;
  /** Of the template. */
  readonly name: string;
  readonly spot: Spot;
  /** With `templates.<t>.tasks.<task> ` before Argo's texts. */
  readonly under: Spot;
}

export const checkTask = { form: checkForm, depends: checkDepends, references: checkReferences };

function checkForm({ task }: TaskNode, usesDepends: boolean, { path, name, spot, under }: TaskPlace): void {
  const dependencies = task.dependencies ?? [];
  if ((usesDepends || dependencies.length > 0) && /^\d/.test(task.name)) {
    const message = "the name of a task that waits cannot begin with a digit";
    const argo = "name cannot begin with a digit when using either 'depends' or 'dependencies'";
    under.tell({ code: "bad-name", path: fieldPath(path, "name"), message, argo });
  }
  if (usesDepends && dependencies.length > 0) {
    const argo = `templates.${name} cannot use both 'depends' and 'dependencies' in the same DAG template`;
    const message = "dependencies here, depends in other tasks of this DAG: use one throughout";
    const hint = `write depends: ${dependencies.join(" && ")}`;
    spot.tell({ code: "conflict", path: fieldPath(path, "dependencies"), message, hint, argo });
  }
  if (usesDepends && task.continueOn !== undefined) {
    const argo = `templates.${name} cannot use 'continueOn' when using 'depends'. Instead use 'dep-task.Failed'/'dep-task.Errored'`;
    const message = "continueOn has no place in a DAG that uses depends";
    const hint = `write in the tasks after it: depends: "${task.name} || ${task.name}.Failed"`;
    spot.tell({ code: "conflict", path: fieldPath(path, "continueOn"), message, hint, argo });
  }
}

function checkDepends(
  node: TaskNode,
  graph: TaskGraph,
  { path, name, spot, under, list }: TaskPlace & { readonly list: string },
): void {
  const at = fieldPath(path, "depends");
  if (node.wrongResult !== undefined) {
    const [, asked = ""] = /^task result '(.*?)'/.exec(node.wrongResult) ?? [];
    const hint = meantOf(asked, taskResults, "", "results are");
    under.tell({ code: "bad-expression", path: at, message: node.wrongResult, hint, argo: node.wrongResult });
  }
  if (node.wrongSyntax !== undefined && node.waitsFor.every((other) => graph.byName.has(other))) {
    const message = `depends cannot be read: ${node.wrongSyntax}`;
    spot.tell({ code: "bad-expression", path: at, message, hint: "join task names with &&, || and !" });
  }
  for (const other of node.loops) {
    const { task, index = 0 } = graph.byName.get(other) ?? {};
    if (task === undefined || isLoopUnread(itemPath(list, index), spot)) continue;
    if ((task.withItems?.length ?? 0) > 0 || (task.withParam ?? "") !== "") continue;
    if (task.withSequence !== undefined) continue;
    spot.tell({
      code: "invalid",
      path: at,
      message: `${other} is no loop: AnySucceeded and AllFailed are asked of loops`,
      hint: `write ${other}.Succeeded or ${other}.Failed`,
      argo: `templates.${name}.tasks.${other} dependency '${other}' uses an items-based condition such as .AnySucceeded or .AllFailed but does not contain any items`,
    });
  }
}

/** An argument that begins with another task's output must wait for that task. */
function checkReferences({ task }: TaskNode, follows: (other: string) => boolean, place: TaskPlace): void {
  const list = fieldPath(place.path, "arguments");
  const tell = (text: string, path: string, what: string): void => {
    if (!text.startsWith("{{tasks.")) return;
    const other = text.split(".")[1] ?? "";
    if (follows(other)) return;
    const tag = /^\{\{(.*?)\}\}/s.exec(text)?.[1] ?? text;
    place.under.tell({
      code: "unresolved",
      path,
      message: `{{${tag}}}`,
      hint: other === task.name ? "a task cannot wait for itself" : `add ${other} to the dependencies of ${task.name}`,
      argo: `missing dependency '${other}' for ${what}`,
    });
  };
  for (const [index, { name, value = "" }] of (task.arguments?.parameters ?? []).entries()) {
    tell(value, fieldPath(itemPath(fieldPath(list, "parameters"), index), "value"), `parameter '${name}'`);
  }
  for (const [index, { name, from = "" }] of (task.arguments?.artifacts ?? []).entries()) {
    tell(from, fieldPath(itemPath(fieldPath(list, "artifacts"), index), "from"), `artifact '${name}'`);
  }
}

export interface TargetPlace {
  readonly names: KnownNames;
  readonly graph: TaskGraph;
  readonly dag: string;
  readonly name: string;
  readonly spot: Spot;
}

export function checkTarget(target: string, { names, graph, dag, name, spot }: TargetPlace): void {
  if (target === "") return;
  const path = fieldPath(dag, "target");
  checkTags(tagsIn(target, path), names, `templates.${name}.targets `, spot);
  for (const one of target.split(" ")) {
    if (holdsVariable(one) || graph.byName.has(one) || names.nodes?.any === true) continue;
    const near = one === "" ? undefined : nearestName(one, graph.byName.keys());
    const hint = near === undefined ? "names are separated by one space each" : `did you mean "${near}"?`;
    const message = one === "" ? "there is a space too many" : `there is no task "${one}"`;
    const argo = `templates.${name}.targets: target '${one}' is not defined`;
    spot.tell({ code: "no-template", path, message, hint, argo });
  }
}
