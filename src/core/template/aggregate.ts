/** What a loop leaves behind: the lists of its items' results and output parameters (Argo 4.1 behaviour 3.8). */

import type { NodeStatus } from "../model/argo/node.js";
import { compareUtf8 } from "../std/order.js";
import { err, ok, type Result } from "../std/result.js";
import { goJsonString, parseRawJson, printRawJson } from "./raw-json.js";
import type { LocalScope } from "./scope.js";

/**
 * Sets `<prefix>.outputs.result`, `.outputs.parameters` and `.outputs.parameters.<p>` from the Succeeded items, in the
 * order of their index. A result that is not JSON is an error, in Go's words.
 */
export function aggregateOutputs(scope: LocalScope, prefix: string, items: readonly NodeStatus[]): Result<void> {
  const results: string[] = [];
  const parameterMaps: string[] = [];
  const values = new Map<string, string[]>();
  for (const { outputs } of inOrder(items)) {
    if (outputs?.result !== undefined) {
      const parsed = parseRawJson(outputs.result);
      if (!parsed.ok) return err(parsed.error);
      results.push(printRawJson(parsed.value));
    }
    const parameters = (outputs?.parameters ?? []).map(({ name, value }): [string, string] => [name, value ?? ""]);
    if (parameters.length === 0) continue;
    parameterMaps.push(printMap(parameters));
    for (const [name, value] of parameters) {
      const list = values.get(name);
      if (list === undefined) values.set(name, [value]);
      else list.push(value);
    }
  }
  scope.set(`${prefix}.outputs.result`, `[${results.join(",")}]`);
  scope.set(`${prefix}.outputs.parameters`, `[${parameterMaps.join(",")}]`);
  for (const [name, list] of values) scope.set(`${prefix}.outputs.parameters.${name}`, printValues(list));
  return ok(undefined);
}

/** Retry's attempts and hooks are no items of the loop. */
function inOrder(items: readonly NodeStatus[]): readonly NodeStatus[] {
  return items
    .filter(({ nodeFlag }) => nodeFlag?.hooked !== true && nodeFlag?.retried !== true)
    .map((node) => ({ node, index: indexOf(node.name) }))
    .sort((a, b) => a.index - b.index)
    .map(({ node }) => node)
    .filter(({ phase, outputs }) => phase === "Succeeded" && outputs !== undefined);
}

function indexOf(name: string): number {
  const digits = /^\((\d+)/.exec(name.slice(name.lastIndexOf("(")));
  return digits === null ? 0 : Number(digits[1]);
}

function printMap(entries: readonly (readonly [string, string])[]): string {
  const sorted = [...new Map(entries)].sort(([a], [b]) => compareUtf8(a, b));
  return `{${sorted.map(([name, value]) => `${goJsonString(name)}:${goJsonString(value)}`).join(",")}}`;
}

/** Texts, unless every one of them is a JSON list or map. */
function printValues(values: readonly string[]): string {
  const parsed = values.map(parseRawJson);
  const printed = parsed.map((one) => (one.ok && one.value.kind !== "scalar" ? printRawJson(one.value) : undefined));
  const asJson = printed.every((one) => one !== undefined);
  return `[${(asJson ? printed : values.map(goJsonString)).join(",")}]`;
}
