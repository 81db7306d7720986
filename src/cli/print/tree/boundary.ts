/** The calls of one boundary and the nodes they have so far: looked up by name, for drawing thousands of tasks. */

import type { NodeStatus } from "../../../core/model/argo/node.js";
import type { Call } from "../templates.js";
import { loopItem, pushTo } from "./node-index.js";

export class Boundary {
  readonly node: NodeStatus;
  readonly calls: readonly Call[];
  /** The nodes that it has so far. */
  readonly inside: readonly NodeStatus[];
  readonly #callsByName: ReadonlyMap<string, Call>;
  readonly #nodes = new Map<string, NodeStatus[]>();
  #blocked: ReadonlyMap<string, string> | undefined;

  constructor(node: NodeStatus, calls: readonly Call[], inside: readonly NodeStatus[]) {
    this.node = node;
    this.calls = calls;
    this.inside = inside;
    this.#callsByName = new Map(calls.map((call) => [call.name, call]));
    for (const one of inside) {
      pushTo(this.#nodes, one.displayName, one);
      const base = loopItem(one.displayName)?.base;
      if (base !== undefined) pushTo(this.#nodes, base, one);
    }
  }

  call(name: string): Call | undefined {
    return this.#callsByName.get(name);
  }

  /** Of a call, with the items of a loop. */
  nodesOf(name: string): readonly NodeStatus[] {
    return this.#nodes.get(name) ?? [];
  }

  /** The failed task that makes this call impossible, through any number of others; undefined when there is none. */
  blocking(call: Call): string | undefined {
    this.#blocked ??= this.#findBlocked();
    return this.#blocked.get(call.name);
  }

  /** From what failed onwards, each call once: asked backwards from each call, a chain of a thousand is never done. */
  #findBlocked(): ReadonlyMap<string, string> {
    const dependents = this.#dependents();
    const blocked = new Map<string, string>();
    const found = this.calls.filter((call) => this.#stops(call)).map(({ name }) => ({ name, failed: name }));
    // What is found meanwhile is gone through too.
    for (const { name, failed } of found) {
      for (const call of dependents.get(name) ?? []) {
        if (blocked.has(call.name)) continue;
        blocked.set(call.name, failed);
        if (this.nodesOf(call.name).length === 0) found.push({ name: call.name, failed });
      }
    }
    return blocked;
  }

  /** Calls that need the success of the one named. */
  #dependents(): ReadonlyMap<string, readonly Call[]> {
    const dependents = new Map<string, Call[]>();
    for (const call of this.calls) {
      if (mayGoOnAnyway(call)) continue;
      for (const name of call.waitsFor) pushTo(dependents, name, call);
    }
    return dependents;
  }

  #stops(call: Call): boolean {
    return this.nodesOf(call.name).some(hasFailed) && !mayFail(call);
  }
}

/** `depends` that asks for more than success. */
function mayGoOnAnyway({ depends }: Call): boolean {
  return /\.(Failed|Errored|Skipped|Omitted|Daemoned|AnySucceeded|AllFailed)|!|\|\|/.test(depends);
}

function mayFail({ invocation }: Call): boolean {
  return invocation.continueOn?.failed === true || invocation.continueOn?.error === true;
}

export function hasFailed({ phase }: NodeStatus): boolean {
  return phase === "Failed" || phase === "Error";
}
