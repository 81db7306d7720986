/** What steps and tasks share: finding their template, visiting it, their loops, conditions and hooks. */

import { type Invocation, templateKinds } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { kindOf } from "../template/kind.js";
import { argoAccepts } from "./argo-accepts.js";
import { checkWhen } from "./conditions.js";
import type { FoundTemplate, Validation } from "./context.js";
import { type Call, type Finding, laterText } from "./find-template.js";
import { type GivenArguments, tellUnused } from "./given-arguments.js";
import { checkHookTemplates } from "./hooks.js";
import {
  type KnownItems,
  type KnownNames,
  type KnownNodes,
  type NodeOffer,
  noItems,
  type OwnNode,
} from "./known-names.js";
import { isAggregated, isLoopUnread } from "./loops.js";
import { offerOf } from "./offers.js";
import type { Spot } from "./report.js";

/** The template whose steps or tasks are looked at. */
export interface Composite {
  readonly validation: Validation;
  readonly found: FoundTemplate;
  readonly nodes: KnownNodes;
  readonly inputs: KnownNames["inputs"];
}

export function namesAt(composite: Composite, items: KnownItems, own?: OwnNode): KnownNames {
  const { validation, nodes, inputs } = composite;
  return {
    globals: validation.globals,
    inputs: own?.inlineUnread === true ? { ...inputs, any: true } : inputs,
    leaf: false,
    pod: false,
    nodes,
    items,
    ...(own === undefined ? {} : { own }),
  };
}

const NONE: ReadonlySet<string> = new Set();

export function ownNode(
  invocation: Invocation,
  path: string,
  composite: Composite,
  more: Pick<OwnNode, "group" | "follows">,
): OwnNode {
  return {
    name: invocation.name ?? "",
    loop:
      isAggregated(invocation) ||
      invocation.withSequence !== undefined ||
      composite.found.inLoop ||
      isLoopUnread(path, composite.found.spot),
    inlineParameters:
      invocation.inline === undefined
        ? NONE
        : new Set((invocation.inline.inputs?.parameters ?? []).map(({ name }) => name)),
    inlineUnread: composite.found.spot.unread.within(`${fieldPath(path, "inline")}.inputs`),
    ...more,
  };
}

/** How the template of a step or task is found. */
export function callOf(invocation: Invocation, path: string, composite: Composite, spot: Spot): Call {
  const { found } = composite;
  const names = namesAt(composite, noItems());
  const loop = isAggregated(invocation) || invocation.withSequence !== undefined;
  return {
    names: invocation,
    path,
    home: found.home,
    spot,
    known: (variable) => earlyText(variable, names, found.values),
    inLoop: found.inLoop || loop,
    outerParameters: composite.inputs.parameters,
  };
}

/** What Argo has replaced before it looks at a step: inputs and the workflow's variables. */
function earlyText(
  variable: string,
  names: KnownNames,
  values: ReadonlyMap<string, string> | undefined,
): string | undefined {
  const input = /^inputs\.parameters\.(.+)$/.exec(variable)?.[1];
  const known = input === undefined ? undefined : values?.get(input);
  if (known !== undefined) return known;
  const parameter = /^workflow\.parameters\.(.+)$/.exec(variable)?.[1];
  const value = parameter === undefined ? undefined : names.globals.parameters.get(parameter);
  if (value !== undefined) return value;
  const isEarly = /^(?:inputs\.parameters\.|workflow\.)/.test(variable) && argoAccepts(variable, names);
  return isEarly ? laterText : undefined;
}

/** `isLoopUnread`: whether its outputs are those of a loop cannot be told. */
export function nodeOffer(found: Finding, isLoopUnread: boolean): NodeOffer {
  if (typeof found === "string") return found;
  return isLoopUnread || isOfferUnread(found) ? "unknown" : offerOf(found.template);
}

function isOfferUnread({ template, path, spot: { unread } }: FoundTemplate): boolean {
  const kinds = kindOf(template) === undefined ? templateKinds : [];
  return (
    ["outputs", "containerSet"].some((field) => unread.within(fieldPath(path, field))) ||
    ["daemon", ...kinds].some((field) => unread.at(fieldPath(path, field)))
  );
}

export function givenBy(invocation: Invocation, path: string, spot: Spot): GivenArguments {
  return { arguments: invocation.arguments ?? {}, path, argumentsPath: fieldPath(path, "arguments"), spot };
}

export interface FoundCall {
  readonly invocation: Invocation;
  readonly call: Call;
  readonly found: Finding;
}

/** What Argo only finds when it runs. */
export function checkBeyondArgo(composite: Composite, { invocation, call, found }: FoundCall, names: KnownNames): void {
  const spot = composite.found.spot.unseen();
  checkWhen(invocation.when, call.path, spot);
  if (typeof found !== "string") tellUnused(found, givenBy(invocation, call.path, spot));
  const { known, home, inLoop } = call;
  checkHookTemplates(composite.validation, invocation, {
    call: { known, home, inLoop },
    path: call.path,
    names,
    spot,
    exitArguments: {},
  });
}
