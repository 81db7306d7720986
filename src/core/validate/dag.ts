/** Rules for DAG templates, in Argo's order (Argo 4.1 behaviour 10.6). */

import { fieldPath, itemPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import { checkArguments } from "./arguments.js";
import { checkTags } from "./check-tags.js";
import type { FoundTemplate, Validation } from "./context.js";
import { checkGraph, checkTarget, checkTask } from "./dag-rules.js";
import { enter } from "./enter.js";
import { findTemplate } from "./find-template.js";
import { checkHookConditions } from "./hooks.js";
import {
  type Composite,
  callOf,
  checkBeyondArgo,
  type FoundCall,
  givenBy,
  namesAt,
  nodeOffer,
  ownNode,
} from "./invocation.js";
import { type KnownNames, noItems } from "./known-names.js";
import { checkLoop, isAggregated } from "./loops.js";
import { checkNames } from "./names.js";
import { addExports } from "./offers.js";
import { tagsInDeclared } from "./tags.js";
import { type TaskGraph, type TaskNode, taskGraph } from "./task-graph.js";
import type { Walk } from "./walk.js";

interface DagWalk {
  readonly composite: Composite;
  readonly graph: TaskGraph;
  readonly list: string;
  readonly calls: Map<TaskNode, FoundCall>;
}

/** Walks all tasks twice, as Argo does: first what they call, then what they say. */
export function* walkDag(validation: Validation, found: FoundTemplate, inputs: KnownNames["inputs"]): Walk {
  const { template, spot } = found;
  const name = template.name ?? "";
  const composite: Composite = {
    validation,
    found,
    inputs,
    nodes: { word: "tasks", byName: new Map(), anyParameterExported: false, anyArtifactExported: false },
  };
  const dag = fieldPath(found.path, "dag");
  const list = fieldPath(dag, "tasks");
  const tasks = template.dag?.tasks ?? [];
  if (tasks.length === 0) {
    const argo = `templates.${name} must have at least one task`;
    spot.tell({ code: "missing-field", path: list, message: "there is no task", argo });
  }
  const walk: DagWalk = { composite, graph: taskGraph(tasks), list, calls: new Map() };
  const { graph } = walk;
  checkGraph(graph, { name, list, spot });
  const named = graph.sorted.map(({ task, index }) => ({ name: task.name, index }));
  checkNames(named, { kind: "template", word: "task", path: list, argo: `templates.${name}.tasks` }, spot);
  const usesDepends = tasks.some(({ depends = "" }) => depends !== "");
  for (const node of graph.sorted) yield walkCall(walk, node, usesDepends);
  checkTarget(template.dag?.target ?? "", { names: namesAt(composite, noItems()), graph, dag, name, spot });
  for (const node of graph.sorted) yield walkTask(walk, node);
  validation.finish(found, namesAt(composite, noItems()));
}

function* walkCall(walk: DagWalk, node: TaskNode, usesDepends: boolean): Walk {
  const { composite, graph, list } = walk;
  const { validation, found, nodes } = composite;
  const { task, index } = node;
  const path = itemPath(list, index);
  const template = found.template.name ?? "";
  const spot = found.spot.under(`templates.${template}.tasks.${task.name} `);
  const place = { path, name: template, spot: found.spot, under: spot };
  checkTask.form(node, usesDepends, place);
  const call = callOf(task, path, composite, spot);
  const target = findTemplate(validation, call);
  walk.calls.set(node, { invocation: task, call, found: target });
  const inside = enter(validation, target);
  if (inside !== undefined) yield inside;
  if (!nodes.byName.has(task.name)) {
    const offer = nodeOffer(target);
    nodes.byName.set(task.name, {
      name: task.name,
      offer,
      aggregated: isAggregated(task),
      offered: true,
      statusKnown: false,
    });
  }
  if (typeof target !== "string") addExports(target.template, validation.globals, nodes);
  checkTask.depends(node, graph, place);
}

function* walkTask(walk: DagWalk, node: TaskNode): Walk {
  const { composite, graph, list } = walk;
  const { validation, found, nodes } = composite;
  const { task, index } = node;
  const path = itemPath(list, index);
  const template = found.template.name ?? "";
  const argo = `templates.${template}.tasks.${task.name}`;
  const spot = found.spot.under(`${argo} `);
  const known = nodes.byName.get(task.name);
  if (task.hooks !== undefined && known !== undefined) known.statusKnown = true;
  const items = noItems();
  checkLoop(task, path, items, spot);
  const follows = (other: string): boolean => graph.follows(task.name, other);
  const names = namesAt(composite, items, ownNode(task, composite, { follows }));
  checkTags(tagsInDeclared(task, path), names, `${argo} `, found.spot);
  const place = { path: fieldPath(path, "arguments"), argo: `${argo}.arguments.` };
  checkArguments(task.arguments, { ...plain, ...place, values: "required", givenBy: "file" }, found.spot);
  checkTask.references(node, follows, { path, name: template, spot: found.spot, under: spot });
  const call = walk.calls.get(node);
  if (call === undefined) return;
  const again = enter(validation, call.found, givenBy(task, path, spot));
  if (again !== undefined) yield again;
  checkHookConditions(task.hooks, path, undefined, found.spot);
  checkBeyondArgo(composite, call, names);
}
