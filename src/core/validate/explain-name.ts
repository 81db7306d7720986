/** Why a variable is not known where it stands, and what to write instead. */

import { nearestName } from "../model/codec/suggest.js";
import { goWord } from "../model/source/go-scalars.js";
import { after, offers } from "./argo-accepts.js";
import { type KnownNames, type KnownNode, type KnownNodes, splitNode } from "./known-names.js";

/** More names than this in a hint are not read. */
const LISTED_MAX = 8;
/** To compare a name with more than this takes longer than it helps. */
const COMPARED_MAX = 1000;

/** What to do about a name that Argo does not accept. */
export function explainName(name: string, names: KnownNames): string | undefined {
  const dot = name.indexOf(".");
  const root = name.slice(0, dot);
  const rest = name.slice(dot + 1);
  switch (root) {
    case "steps":
    case "tasks":
      return explainNode(root, rest, names);
    case "inputs":
      return explainInput(rest, names);
    case "workflow":
      return explainGlobal(rest, names);
    case "pod":
      return "only a template that makes a pod has it, in its own fields";
    case "item":
      return explainItem(rest, names);
    default:
      return undefined;
  }
}

/** `did you mean "x"?`, or which there are. */
export function meantOf(name: string, candidates: Iterable<string>, none: string, some: string): string {
  const all = [...candidates];
  const read = goWord(name);
  if (typeof read === "boolean" && all.includes(String(read))) {
    return `${name} is a boolean in YAML, read as ${read}: write "${name}" in quotes where it gets its name`;
  }
  // One letter is near to any other.
  const near = all.length > COMPARED_MAX || name.length < 2 ? undefined : nearestName(name, all);
  if (near !== undefined) return `did you mean "${near}"?`;
  return all.length === 0 ? none : `${some} ${listed(all)}`;
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).join(", ");
  return names.length > LISTED_MAX ? `${shown}, … (${names.length})` : shown;
}

const NO_NODES = "only a steps or dag template has it: pass it to this one as an argument";

/** For `steps` in a DAG, `tasks` in steps, either anywhere else. */
export function wrongFamily({ nodes }: KnownNames): string {
  return nodes === undefined ? NO_NODES : `${wordOf(nodes)}: ${nodes.word}…`;
}

function explainNode(root: "steps" | "tasks", rest: string, names: KnownNames): string {
  const { nodes, own } = names;
  if (nodes === undefined) return NO_NODES;
  const isWrongWord = nodes.word !== root;
  const found = splitNode(rest, nodes);
  if (found === undefined) {
    const reason = unknownNode(rest, nodes, own?.name);
    return isWrongWord ? `${wrongFamily(names)}; ${reason}` : reason;
  }
  const { node, of } = found;
  if (isWrongWord) {
    const right = `${wordOf(nodes)}: ${nodes.word}.${node.name}…`;
    return offers(node, of) ? right : `${right}; ${offerOf(node)}`;
  }
  if (of === "status") return explainStatus(node, nodes, own);
  return !node.offered && offers(node, of) ? explainEarly(node, own?.name) : explainMissing(node, of);
}

function unknownNode(rest: string, nodes: KnownNodes, own: string | undefined): string {
  const name = rest.split(".", 1)[0] ?? "";
  const one = nodes.word === "steps" ? "step" : "task";
  const others = [...nodes.byName.keys()].filter((other) => other !== own);
  return meantOf(name, others, `there is no ${one} before it`, `the ${one}s known here are`);
}

function wordOf(nodes: KnownNodes): string {
  return nodes.word === "tasks" ? "this is a DAG" : "these are steps";
}

function explainStatus(node: KnownNode, nodes: KnownNodes, own: KnownNames["own"]): string {
  if (own === undefined) return "outputs take a status by expression only";
  if (nodes.word === "tasks")
    return `add ${node.name} to the task's dependencies: its status is not known before it ends`;
  return `${node.name} runs later`;
}

function explainEarly(node: KnownNode, own: string | undefined): string {
  return node.name === own ? "a step does not know its own outputs" : `${node.name} runs later`;
}

function explainMissing(node: KnownNode, of: string): string {
  if (node.offer === "dynamic") return `the template of ${node.name} is known at run time only, and so are its outputs`;
  if (of === "ip") return `only a daemon has an address: ${node.name} is none`;
  const output = after("outputs.parameters.", of) ?? after("outputs.artifacts.", of);
  if (output !== undefined && node.offer !== "unknown") {
    const near = nearestName(output, [...node.offer.parameters, ...node.offer.artifacts]);
    if (near !== undefined) return `did you mean "${near}"? ${offerOf(node)}`;
  }
  if (of === "outputs.parameters") return `only a loop over items has all outputs in one: ${offerOf(node)}`;
  const meant = output === undefined ? nearestForm(node, of) : undefined;
  return meant === undefined ? offerOf(node) : `did you mean "${meant}"?`;
}

const FORMS: readonly string[] = ["outputs.result", "exitCode", "status", "id", "ip", "startedAt", "finishedAt"];

/** Of all that a node can be asked for: `output.result` and `result` are `outputs.result`. */
function nearestForm(node: KnownNode, of: string): string | undefined {
  const { offer } = node;
  if (typeof offer === "string") return undefined;
  const outputs = [
    ...[...offer.parameters].map((name) => `outputs.parameters.${name}`),
    ...[...offer.artifacts].map((name) => `outputs.artifacts.${name}`),
  ];
  const forms = [...FORMS.filter((form) => form === "status" || offers(node, form)), ...outputs];
  const longer = forms.find((form) => form.endsWith(`.${of}`) || of.endsWith(`.${form}`));
  return longer ?? (forms.length > COMPARED_MAX ? undefined : nearestName(of, forms));
}

/** `checkout has the outputs commit, branch` */
function offerOf(node: KnownNode): string {
  if (typeof node.offer === "string") return `the outputs of ${node.name} are not known`;
  const declared = [...node.offer.parameters, ...node.offer.artifacts];
  const all = declared.length === 0 && node.offer.result ? ["result"] : declared;
  if (all.length === 0) return `${node.name} has no outputs`;
  return `${node.name} has the output${all.length === 1 ? "" : "s"} ${listed(all)}`;
}

function explainInput(rest: string, { inputs }: KnownNames): string {
  const family = rest.split(".", 1)[0] ?? "";
  if (family !== "parameters" && family !== "artifacts") {
    return `write inputs.parameters… or inputs.artifacts…: an input has no "${family}"`;
  }
  const isArtifact = rest.startsWith("artifacts.");
  const name = (after("parameters.", rest) ?? after("artifacts.", rest) ?? rest).replace(/\.path$/, "");
  const known = isArtifact ? inputs.artifacts : inputs.parameters;
  const field = isArtifact ? "inputs.artifacts" : "inputs.parameters";
  const other = isArtifact ? inputs.parameters : inputs.artifacts;
  if (other.has(name)) return `did you mean inputs.${isArtifact ? "parameters" : "artifacts"}.${name}?`;
  return meantOf(name, known, `the template has no inputs: add ${name} to its ${field}`, "the template's inputs are");
}

const GLOBALS: readonly string[] = [
  "name",
  "namespace",
  "uid",
  "status",
  "parameters",
  "labels",
  "annotations",
  "priority",
  "failures",
  "outputs",
  "duration",
  "mainEntrypoint",
  "serviceAccountName",
  "creationTimestamp",
  "scheduledTime",
];

function explainGlobal(rest: string, { globals }: KnownNames): string {
  const parameter = after("parameters.", rest);
  if (parameter !== undefined) {
    const none = `the workflow has no parameters: add ${parameter} to spec.arguments.parameters`;
    return meantOf(parameter, globals.parameters.keys(), none, "the workflow's parameters are");
  }
  const exported = after("outputs.parameters.", rest) ?? after("outputs.artifacts.", rest);
  if (exported !== undefined) {
    const all = rest.startsWith("outputs.parameters.") ? globals.exportedParameters : globals.exportedArtifacts;
    if (all.has(exported)) return "a template that runs before must export it as its globalName";
    return meantOf(exported, all, "no output has a globalName before this", "exported before this:");
  }
  if (rest === "failures") return "only exit handlers know it";
  if (rest === "priority") return "spec.priority is not set";
  const map = /^(labels|annotations)\./.exec(rest)?.[1];
  if (map !== undefined) return `the workflow has no such entry in metadata.${map}`;
  return meantOf(rest, GLOBALS, "", "there are");
}

function explainItem(key: string, { items }: KnownNames): string {
  return meantOf(key, items.keys, "only a loop over maps has it, in the step or task itself", "the items have");
}
