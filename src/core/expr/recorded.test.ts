import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evaluateWhen, type Scope, substitute } from "./index.js";

/**
 * What the real Argo put into arguments and commands, recorded, beside what we put there. Only variables that a
 * recording tells by itself are in scope; a tag that names others stays, and is not compared.
 */
const RUNS = join(import.meta.dirname, "../../../../shared/argo/runs");
const isPresent = existsSync(RUNS);
const note = isPresent ? "" : " (left out: no recordings beside the repository)";

interface Parameter {
  readonly name: string;
  readonly value?: string;
}

interface RecordedNode {
  readonly name: string;
  readonly displayName: string;
  readonly templateName?: string;
  readonly boundaryName?: string;
  readonly phase?: string;
  readonly message?: string;
  readonly podIP?: string;
  readonly nodeFlag?: object;
  readonly inputs?: { readonly parameters?: readonly Parameter[] };
  readonly outputs?: {
    readonly parameters?: readonly Parameter[];
    readonly result?: string;
    readonly exitCode?: string;
  };
}

interface Invocation {
  readonly name?: string;
  readonly arguments?: { readonly parameters?: readonly Parameter[] };
}

interface Template {
  readonly name?: string;
  readonly container?: { readonly command?: readonly string[]; readonly args?: readonly string[] };
  readonly steps?: readonly (readonly Invocation[])[];
  readonly dag?: { readonly tasks: readonly Invocation[] };
}

interface Recording {
  readonly name: string;
  readonly submitted: {
    readonly spec: {
      readonly arguments?: { readonly parameters?: readonly Parameter[] };
      readonly templates?: readonly Template[];
    };
  };
  readonly nodes?: readonly RecordedNode[];
  readonly pods?: readonly {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[] };
  }[];
}

const NOT_RECORDINGS = /^(SUMMARY|rules|actions|controller)/;

function recordings(): readonly Recording[] {
  const folders = ["examples", "variants", "random", "hang"];
  return folders.flatMap((folder) =>
    readdirSync(join(RUNS, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json") && !NOT_RECORDINGS.test(file))
      .map((file): Recording => JSON.parse(readFileSync(join(RUNS, folder, file), "utf8"))),
  );
}

function scopeOf(recording: Recording, node: RecordedNode | undefined): Map<string, string> {
  const scope = new Map([
    ["workflow.name", recording.name],
    ["workflow.namespace", "argo"],
  ]);
  for (const { name, value } of recording.submitted.spec.arguments?.parameters ?? []) {
    if (value !== undefined) scope.set(`workflow.parameters.${name}`, String(value));
  }
  for (const { name, value } of node?.inputs?.parameters ?? []) {
    if (value !== undefined) scope.set(`inputs.parameters.${name}`, value);
  }
  return scope;
}

function addSiblings(scope: Map<string, string>, recording: Recording, node: RecordedNode, kind: string): void {
  for (const sibling of recording.nodes ?? []) {
    const isOther = sibling.boundaryName !== node.boundaryName || sibling.name === node.name;
    if (isOther || sibling.nodeFlag !== undefined || sibling.displayName.includes("(")) continue;
    const prefix = `${kind}.${sibling.displayName}`;
    const values = { status: sibling.phase, ip: sibling.podIP, exitCode: sibling.outputs?.exitCode };
    for (const [name, value] of Object.entries({ ...values, "outputs.result": sibling.outputs?.result })) {
      if (value !== undefined) scope.set(`${prefix}.${name}`, value);
    }
    for (const { name, value } of sibling.outputs?.parameters ?? []) {
      if (value !== undefined) scope.set(`${prefix}.outputs.parameters.${name}`, value);
    }
  }
}

interface Comparison {
  readonly place: string;
  readonly source: string;
  readonly scope: Scope;
  readonly argo: string | undefined;
}

function templateOf(recording: Recording, node: RecordedNode | undefined): Template | undefined {
  return recording.submitted.spec.templates?.find(({ name }) => name === node?.templateName);
}

/** The arguments of main containers. */
function* commandLines(recording: Recording): Generator<Comparison> {
  const nodes = new Map((recording.nodes ?? []).map((node) => [node.name, node]));
  for (const pod of recording.pods ?? []) {
    const node = nodes.get(pod.metadata.annotations?.["workflows.argoproj.io/node-name"] ?? "");
    const container = templateOf(recording, node)?.container;
    if (container?.command === undefined) continue;
    const main = pod.spec.containers.find(({ name }) => name === "main");
    for (const [index, source] of (container.args ?? []).entries()) {
      yield { place: node?.name ?? "", source, scope: scopeOf(recording, node), argo: main?.args?.[index] };
    }
  }
}

/** The arguments of steps and tasks that are no loops. */
function* callArguments(recording: Recording): Generator<Comparison> {
  const nodes = new Map((recording.nodes ?? []).map((node) => [node.name, node]));
  for (const node of recording.nodes ?? []) {
    const boundary = nodes.get(node.boundaryName ?? "");
    const template = templateOf(recording, boundary);
    if (template === undefined || node.displayName.includes("(")) continue;
    const calls = template.dag?.tasks ?? template.steps?.flat() ?? [];
    const scope = scopeOf(recording, boundary);
    addSiblings(scope, recording, node, template.dag ? "tasks" : "steps");
    for (const { name, value } of calls.find((call) => call.name === node.displayName)?.arguments?.parameters ?? []) {
      const argo = node.inputs?.parameters?.find((parameter) => parameter.name === name)?.value;
      if (typeof value === "string" && argo !== undefined) yield { place: node.name, source: value, scope, argo };
    }
  }
}

test.skipIf(!isPresent)(`tags give what Argo's controller gave${note}`, () => {
  const differences: unknown[] = [];
  let compared = 0;
  for (const recording of recordings()) {
    for (const { place, source, scope, argo } of [...commandLines(recording), ...callArguments(recording)]) {
      if (typeof source !== "string" || !source.includes("{{")) continue;
      const result = substitute(source, scope, { mode: "allow-unresolved", context: { now: 0, seed: "" } });
      const ours = result.ok ? result.value : result.error.message;
      if (ours !== argo && ours.includes("{{")) continue;
      compared++;
      if (ours !== argo) differences.push({ place, source, ours, argo });
    }
  }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(700);
});

test.skipIf(!isPresent)(`conditions are false where Argo's controller said so${note}`, () => {
  const texts = new Set<string>();
  for (const recording of recordings()) {
    for (const { message = "" } of recording.nodes ?? []) {
      const skipped = /^when '(.*)' evaluated false$/s.exec(message)?.[1];
      if (skipped !== undefined) texts.add(skipped);
    }
  }
  const isFalse = (text: string): boolean => {
    const result = evaluateWhen(text);
    return result.ok && !result.value;
  };
  expect([...texts].filter((text) => !isFalse(text))).toEqual([]);
  expect(texts.size).toBeGreaterThan(25);
});
