/** What a run of a sample did otherwise than the real node; chance and times aside. */

import type { NodeStatus } from "../../src/core/model/argo/node.js";
import type { Workflow } from "../../src/core/model/argo/workflow.js";
import {
  byType,
  type Comparable,
  comparableNode,
  type Difference,
  namedNode,
  walk,
} from "../conformance/replay/compare.js";
import type { RecordedNode } from "../conformance/replay/recording.js";
import type { SampleRecording } from "./recordings.js";
import type { SampleRun } from "./run.js";

/** `isByChance`: its numbers are not compared. */
export function compareRun(run: SampleRun, recording: SampleRecording, isByChance: boolean): readonly Difference[] {
  const masks = isByChance ? [...TIMES, [/-?\d+/g, "<number>"] as const] : TIMES;
  const ours = sideOf({ ...wholeOf(run.workflow), nodes: ourNodes(run.workflow), logs: run.logs }, masks);
  const argos = sideOf({ ...wholeOf(recording), nodes: recording.nodes, logs: recording.logs ?? {} }, masks);
  return [...walk("", ours, argos)];
}

type Masks = readonly (readonly [RegExp, string])[];

interface Seen {
  readonly phase: string;
  readonly message: string;
  readonly progress: string;
  readonly conditions: Comparable;
  readonly outputs: unknown;
  readonly labels: Readonly<Record<string, string>>;
  readonly nodes: readonly RecordedNode[];
  readonly logs: Readonly<Record<string, string>>;
}

type Whole = Omit<Seen, "nodes" | "logs">;

function wholeOf(source: Workflow | SampleRecording | undefined): Whole {
  const isWorkflow = source !== undefined && "metadata" in source;
  const status = isWorkflow ? source.status : source;
  return {
    phase: status?.phase ?? "",
    message: status?.message ?? "",
    progress: status?.progress ?? "",
    conditions: byType(status?.conditions),
    outputs: status?.outputs,
    labels: (isWorkflow ? source.metadata.labels : source?.labels) ?? {},
  };
}

function ourNodes(workflow: Workflow | undefined): readonly RecordedNode[] {
  const nodes: readonly NodeStatus[] = Object.values(workflow?.status?.nodes ?? {});
  const nameOf = new Map(nodes.map(({ id, name }) => [id, name]));
  return nodes.map((node) => namedNode(node, nameOf));
}

function sideOf({ nodes, logs, ...whole }: Seen, masks: Masks): Comparable {
  const texts = Object.entries(logs).map(([key, text]) => [key, masked(ownLines(text), masks)] as const);
  return {
    ...masked(whole, masks),
    nodes: Object.fromEntries(
      nodes.map((node) => {
        const { podIP: _, ...rest } = masked(comparableNode(node), masks);
        return [node.name, rest];
      }),
    ),
    logs: Object.fromEntries(texts.filter(([, text]) => text !== "")),
  };
}

/**
 * The lines that the step's own commands wrote: without the executor's last word, the shell's trace (each shell quotes
 * it in its own way and it mixes with the output by chance), curl's progress, and tries to reach a server that is
 * still starting (`sleep`, curl's 7): how many there are is a matter of time.
 */
function ownLines(text: string): string {
  return text
    .replace(/^Error: exit status \d+$/gm, "")
    .replace(/^\++ .*$/gm, "")
    .replace(/^( {2}% Total|\s+Dload) .*$/gm, "")
    .replace(/^.*--:--:--.*$/gm, "")
    .replace(/^(sleep|curl: \(7\) .*)$/gm, "")
    .replace(/^\r*$/gm, "")
    .replace(/\n{2,}/g, "\n")
    .replace(/^\n+|\n+$/g, "");
}

const TIMES: Masks = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>"],
  [/\b\w{3} \w{3} [ \d]?\d \d\d:\d\d:\d\d \w+ \d{4}\b/g, "<time>"],
  [/\b1[78]\d{8}\b/g, "<epoch>"],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "<uid>"],
  [/\b(10\.244\.\d+\.\d+|127\.0\.0\.1)\b/g, "<ip>"],
  [/(?<=workflow\.namespace *= )\S+/g, "<namespace>"],
];

/** Texts with times, addresses and UIDs masked, and what else is by chance. */
function masked<T>(value: T, masks: Masks): T {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    typeof inner === "string" && !IDENTITIES.has(key)
      ? masks.reduce((text, [pattern, mask]) => text.replace(pattern, mask), inner)
      : inner,
  ) as T;
}

const IDENTITIES: ReadonlySet<string> = new Set(["id", "name", "boundaryName", "key"]);
