/** The table of `tiphys list` (Argo 4.1 behaviour 8.5). */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { compareUtf8 } from "../../core/std/order.js";
import { shortDuration, timeOf } from "./duration.js";
import { statusText } from "./status-text.js";
import { table } from "./table.js";

/** What a line of the list shows; small enough to be kept in a place's index file. */
export interface ListRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly status: string;
  readonly phase: string;
  readonly message: string;
  readonly priority: number;
  /** RFC 3339; empty when not yet. */
  readonly createdAt: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Pod nodes by what became of them. */
  readonly pods: { readonly pending: number; readonly running: number; readonly completed: number };
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly labels: Readonly<Record<string, string>>;
}

export function listRow(workflow: Workflow): ListRow {
  const { metadata, status, spec } = workflow;
  const pods = Object.values(status?.nodes ?? {}).filter((node) => node.type === "Pod");
  const pending = pods.filter((node) => node.phase === "Pending").length;
  const running = pods.filter((node) => node.phase === "Running").length;
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    status: statusText(workflow),
    phase: status?.phase ?? "",
    message: status?.message ?? "",
    priority: spec.priority ?? 0,
    createdAt: metadata.creationTimestamp ?? "",
    startedAt: status?.startedAt ?? "",
    finishedAt: status?.finishedAt ?? "",
    pods: { pending, running, completed: pods.length - pending - running },
    parameters: (spec.arguments?.parameters ?? []).map((parameter) => [parameter.name, parameter.value ?? ""]),
    labels: metadata.labels ?? {},
  };
}

/** Unfinished first, newest creation first; then finished, latest end first. */
export function sortRows(rows: readonly ListRow[]): readonly ListRow[] {
  return [...rows].sort((a, b) => {
    if ((a.finishedAt === "") !== (b.finishedAt === "")) return a.finishedAt === "" ? -1 : 1;
    const byTime =
      a.finishedAt === "" ? compareUtf8(b.createdAt, a.createdAt) : compareUtf8(b.finishedAt, a.finishedAt);
    return byTime !== 0 ? byTime : compareUtf8(a.name, b.name);
  });
}

export interface ListOptions {
  readonly wide: boolean;
  readonly namespaces: boolean;
  readonly headers: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function listLines(rows: readonly ListRow[], options: ListOptions): readonly string[] {
  const header = [
    ...(options.namespaces ? ["NAMESPACE"] : []),
    ...["NAME", "STATUS", "AGE", "DURATION", "PRIORITY", "MESSAGE"],
    ...(options.wide ? ["P/R/C", "PARAMETERS"] : []),
  ];
  const cells = rows.map((row) => [
    ...(options.namespaces ? [row.namespace] : []),
    row.name,
    row.status,
    shortDuration(options.now - (timeOf(row.createdAt) ?? options.now)),
    durationText(row, options.now),
    String(row.priority),
    row.message.replace(/\s+/g, " "),
    ...(options.wide ? [`${row.pods.pending}/${row.pods.running}/${row.pods.completed}`, parametersText(row)] : []),
  ]);
  return table(options.headers ? [header, ...cells] : cells, 3);
}

function durationText(row: ListRow, now: number): string {
  const started = timeOf(row.startedAt);
  return started === undefined ? "0s" : shortDuration((timeOf(row.finishedAt) ?? now) - started);
}

const VALUE_MAX = 50;
const VALUE_TAIL = 15;

function parametersText(row: ListRow): string {
  return row.parameters.map(([name, value]) => `${name}=${shortValue(value)}`).join(",");
}

/** Long values keep their beginning and their last 15 characters. */
function shortValue(value: string): string {
  if (value.length <= VALUE_MAX) return value;
  return `${value.slice(0, VALUE_MAX - VALUE_TAIL - 3)}...${value.slice(-VALUE_TAIL)}`;
}
