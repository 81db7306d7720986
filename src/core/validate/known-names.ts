/** Which variables are known at a place, as Argo's checks see it (Argo 4.1 behaviour 10.7). */

import type { TemplateKind } from "../model/argo/template.js";

/** What a step or task leaves to others. */
export interface Offer {
  readonly kind: TemplateKind | undefined;
  readonly daemon: boolean;
  /** Whether it leaves a result and an exit code. */
  readonly result: boolean;
  readonly parameters: ReadonlySet<string>;
  readonly artifacts: ReadonlySet<string>;
}

/** `dynamic`: the template is known at run time only. `unknown`: it could not be found, which is told elsewhere. */
export type NodeOffer = Offer | "dynamic" | "unknown";

/** A step or task as the others of its template know it. */
export interface KnownNode {
  readonly name: string;
  readonly offer: NodeOffer;
  /** A loop over items: its outputs are aggregated. */
  readonly aggregated: boolean;
  /** Steps: the group it runs in. */
  readonly group?: number;
  /** Its outputs may be named from here on. */
  offered: boolean;
  /** `status` may be named from here on. */
  statusKnown: boolean;
}

export interface KnownNodes {
  readonly word: "steps" | "tasks";
  readonly byName: Map<string, KnownNode>;
  /** There may be more of them than could be read. */
  readonly any: boolean;
  /** Some export's name is a variable: any may exist. */
  anyParameterExported: boolean;
  anyArtifactExported: boolean;
}

/** Keys of `item`. */
export interface KnownItems {
  readonly keys: Set<string>;
  /** The items come at run time. */
  any: boolean;
}

export interface KnownInputs {
  readonly parameters: ReadonlySet<string>;
  readonly artifacts: ReadonlySet<string>;
  /** There may be more of them than could be read. */
  readonly any: boolean;
}

/** The workflow's own variables; grows as the walk meets templates that export outputs. */
export interface KnownGlobals {
  /** Undefined: a value that comes later. */
  readonly parameters: ReadonlyMap<string, string | undefined>;
  /** A template resource: whoever runs it may bring further parameters. */
  readonly anyParameter: boolean;
  readonly labels: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
  /** There may be more of both than could be read. */
  readonly anyMetadata: boolean;
  /** There may be more outputs with a globalName than could be read. */
  readonly anyExported: boolean;
  readonly priority: boolean;
  failures: boolean;
  anyArtifactExported: boolean;
  readonly exportedParameters: Set<string>;
  readonly exportedArtifacts: Set<string>;
}

/** The step or task whose texts are looked at. */
export interface OwnNode {
  readonly name: string;
  readonly group?: number;
  readonly loop: boolean;
  /** Whether another task is waited for; steps know it by their groups. */
  readonly follows?: (task: string) => boolean;
  /** Inputs of the template that is written in place. */
  readonly inlineParameters: ReadonlySet<string>;
  /** Of those there may be more than could be read. */
  readonly inlineUnread: boolean;
}

export interface KnownNames {
  readonly globals: KnownGlobals;
  readonly inputs: KnownInputs;
  /** A pod, a script, an HTTP request: its inputs have paths. */
  readonly leaf: boolean;
  readonly pod: boolean;
  readonly nodes?: KnownNodes;
  readonly items: KnownItems;
  readonly own?: OwnNode;
}

export function knownNodes(word: KnownNodes["word"], any: boolean): KnownNodes {
  return { word, any, byName: new Map(), anyParameterExported: false, anyArtifactExported: false };
}

export function noItems(): KnownItems {
  return { keys: new Set(), any: false };
}

/** The node that `rest` (`a.outputs.result`) speaks of, and what of it; names made of tags may hold dots. */
export function splitNode(
  rest: string,
  nodes: KnownNodes,
): { readonly node: KnownNode; readonly of: string } | undefined {
  for (let dot = rest.indexOf("."); dot >= 0; dot = rest.indexOf(".", dot + 1)) {
    const node = nodes.byName.get(rest.slice(0, dot));
    if (node !== undefined) return { node, of: rest.slice(dot + 1) };
  }
  return undefined;
}
