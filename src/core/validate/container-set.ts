/** Rules for container sets (Argo 4.1 behaviour 10.4). */

import type { ContainerNode } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { FoundTemplate } from "./context.js";
import { checkNames } from "./names.js";

const RESERVED = /^(?:wait|supervisor|artifact-plugin-.*)$/;

export function checkContainerSet({ template, path, spot }: FoundTemplate): void {
  const set = template.containerSet;
  if (set === undefined) return;
  const argo = `templates.${template.name ?? ""}.containerSet`;
  const list = fieldPath(fieldPath(path, "containerSet"), "containers");
  const { containers } = set;
  if (containers.length === 0) {
    const text = `${argo}.containers must have at least one container`;
    spot.tell({ code: "missing-field", path: list, message: "there is no container", argo: text });
  }
  checkNames(containers, { kind: "template", word: "container", path: list, argo: `${argo}.containers` }, spot);
  const anyName = spot.unread.inList(list, containers);
  const names = new Set(containers.map(({ name }) => name));
  const isThere = (name: string): boolean => anyName || names.has(name);
  for (const [index, { name, dependencies = [] }] of containers.entries()) {
    for (const [at, dependency] of dependencies.entries()) {
      if (isThere(dependency)) continue;
      const place = itemPath(fieldPath(itemPath(list, index), "dependencies"), at);
      const text = `${argo}.containers.${name} dependency '${dependency}' not defined`;
      spot.tell({ code: "no-template", path: place, message: `there is no container "${dependency}"`, argo: text });
    }
    if (!RESERVED.test(name)) continue;
    const message = `"${name}" is the name of a container that is added to each pod`;
    const text = `${argo}.containers: "${name}" is a reserved Argo container name`;
    spot.tell({ code: "bad-name", path: fieldPath(itemPath(list, index), "name"), message, argo: text });
  }
  const cycle = cycleOf(containers);
  if (cycle !== undefined) {
    const text = cycle.join("->");
    const message = `containers wait for one another: ${cycle.join(" -> ")}`;
    spot.tell({ code: "cycle", path: list, message, argo: `${argo}.containers dependency cycle detected: ${text}` });
  }
  const { inputs, outputs } = template;
  const carries = [inputs?.artifacts, outputs?.parameters, outputs?.artifacts].some((one) => (one?.length ?? 0) > 0);
  if (carries && !isThere("main")) {
    const message = 'inputs and outputs need a container named "main"';
    const text = `${argo}.containers must have a container named "main" for input or output`;
    spot.tell({ code: "invalid", path: list, message, argo: text });
  }
}

/** Names along a circle of dependencies, the first repeated at the end. */
function cycleOf(containers: readonly ContainerNode[]): readonly string[] | undefined {
  const byName = new Map(containers.map((container) => [container.name, container]));
  const done = new Set<string>();
  for (const { name } of containers) {
    const way: { readonly name: string; readonly next: Iterator<string> }[] = [];
    const open = (one: string): void => {
      way.push({ name: one, next: (byName.get(one)?.dependencies ?? [])[Symbol.iterator]() });
    };
    if (!done.has(name)) open(name);
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const step = top.next.next();
      if (step.done === true) {
        done.add(top.name);
        way.pop();
        continue;
      }
      const from = way.findIndex((one) => one.name === step.value);
      if (from >= 0) return [...way.slice(from).map((one) => one.name), step.value];
      if (!done.has(step.value) && byName.has(step.value)) open(step.value);
    }
  }
  return undefined;
}
