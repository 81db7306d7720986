/** Whether Argo's check of variables lets a name pass (Argo 4.1 behaviour 10.7). */

import { type KnownGlobals, type KnownNames, type KnownNode, type Offer, splitNode } from "./known-names.js";

type Rule = (rest: string, names: KnownNames) => boolean;

/** Only names that begin so are looked at; others may mean something to somebody else. */
const RULES: Readonly<Record<string, Rule>> = {
  item: (rest, { items }) => items.any || items.keys.has(rest),
  steps: (rest, names) => rest.startsWith("name") || acceptsNode("steps", rest, names),
  tasks: (rest, names) => rest.startsWith("name") || acceptsNode("tasks", rest, names),
  inputs: acceptsInput,
  outputs: () => true,
  pod: (rest, { pod }) => pod && rest === "name",
  workflow: (rest, names) => acceptsGlobal(rest, names),
};

export function argoAccepts(name: string, names: KnownNames): boolean {
  const dot = name.indexOf(".");
  if (dot < 0) return true;
  const root = name.slice(0, dot);
  const rule = Object.hasOwn(RULES, root) ? RULES[root] : undefined;
  return rule === undefined || rule(name.slice(dot + 1), names);
}

function acceptsInput(rest: string, { inputs, leaf, own }: KnownNames): boolean {
  if (rest === "parameters" || inputs.any) return true;
  const parameter = after("parameters.", rest);
  if (parameter !== undefined) {
    return inputs.parameters.has(parameter) || own?.inlineParameters.has(parameter) === true;
  }
  const artifact = after("artifacts.", rest);
  if (artifact === undefined) return false;
  if (inputs.artifacts.has(artifact)) return true;
  return leaf && artifact.endsWith(".path") && inputs.artifacts.has(artifact.slice(0, -".path".length));
}

function acceptsNode(word: "steps" | "tasks", rest: string, { nodes, own }: KnownNames): boolean {
  if (nodes?.word !== word) return false;
  const found = splitNode(rest, nodes);
  if (found === undefined) return nodes.any;
  const { node, of } = found;
  if (of === "status") return node.statusKnown || own?.follows?.(node.name) === true;
  return node.offered && offers(node, of);
}

const ALWAYS: ReadonlySet<string> = new Set(["id", "startedAt", "finishedAt", "hostNodeName"]);

/** Whether a node whose outputs are known has `of`. */
export function offers(node: KnownNode, of: string): boolean {
  const { offer, aggregated } = node;
  if (ALWAYS.has(of) || offer === "unknown") return true;
  if (offer === "dynamic") return false;
  if (of === "ip") return offer.daemon;
  if (of === "outputs.result" || of === "exitCode")
    return offer.result || (aggregated && offer.kind === "containerSet");
  if (of === "outputs.parameters") return aggregated;
  return offersOutput(offer, of);
}

function offersOutput(offer: Offer, of: string): boolean {
  const parameter = after("outputs.parameters.", of);
  if (parameter !== undefined) return offer.parameters.has(parameter);
  const artifact = after("outputs.artifacts.", of);
  return artifact !== undefined && offer.artifacts.has(artifact);
}

const PLAIN_GLOBALS: ReadonlySet<string> = new Set([
  "name",
  "namespace",
  "mainEntrypoint",
  "serviceAccountName",
  "uid",
  "status",
  "labels",
  "labels.json",
  "annotations",
  "annotations.json",
]);

function acceptsGlobal(rest: string, names: KnownNames): boolean {
  const { globals } = names;
  if (PLAIN_GLOBALS.has(rest) || /^(?:creationTimestamp|scheduledTime|duration)/.test(rest)) return true;
  if (rest === "priority") return globals.priority;
  if (rest === "failures") return globals.failures;
  if (rest.startsWith("parameters")) return acceptsParameter(rest, globals);
  if (globals.anyMetadata && /^(?:labels|annotations)\./.test(rest)) return true;
  const label = after("labels.", rest);
  if (label !== undefined) return globals.labels.has(label);
  const annotation = after("annotations.", rest);
  if (annotation !== undefined) return globals.annotations.has(annotation);
  return acceptsExport(rest, names);
}

function acceptsExport(rest: string, { globals, nodes }: KnownNames): boolean {
  if (globals.anyExported && rest.startsWith("outputs.")) return true;
  const exported = after("outputs.parameters.", rest);
  if (exported !== undefined) return globals.exportedParameters.has(exported) || nodes?.anyParameterExported === true;
  const artifact = after("outputs.artifacts.", rest);
  if (artifact === undefined) return false;
  return globals.exportedArtifacts.has(artifact) || globals.anyArtifactExported || nodes?.anyArtifactExported === true;
}

function acceptsParameter(rest: string, { parameters, anyParameter }: KnownGlobals): boolean {
  if (anyParameter) return true;
  if (rest === "parameters" || rest === "parameters.json") return parameters.size > 0;
  const name = after("parameters.", rest);
  return name !== undefined && parameters.has(name);
}

/** What follows `prefix`; undefined when `text` does not begin with it. */
export function after(prefix: string, text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}
