/** GitHub's workflow commands and step summary. */

import type { Position } from "../../core/std/problem.js";

/** One step, whole, folded in the job's log; nothing that it printed is taken for a command. */
export function groupText(group: {
  readonly title: string;
  readonly lines: readonly string[];
  /** A text that the lines cannot hold by chance. */
  readonly token: string;
}): string {
  return [
    `::group::${escapeData(group.title)}`,
    `::stop-commands::${group.token}`,
    ...group.lines,
    `::${group.token}::`,
    "::endgroup::",
    "",
  ].join("\n");
}

/** `::error file=…,line=…,col=…,title=…::message` */
export function annotation(fault: {
  readonly severity: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  /** The file as the repository names it. */
  readonly position?: Position;
}): string {
  const { position } = fault;
  const properties = [
    ...(position === undefined
      ? []
      : [`file=${escapeProperty(position.file)}`, `line=${position.line}`, `col=${position.column}`]),
    `title=${escapeProperty(fault.title)}`,
  ];
  return `::${fault.severity} ${properties.join(",")}::${escapeData(fault.message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

export interface SummaryRow {
  readonly step: string;
  readonly phase: string;
  readonly duration: string;
  readonly message: string;
}

/** Markdown for $GITHUB_STEP_SUMMARY. */
export function stepSummary(title: string, rows: readonly SummaryRow[]): string {
  const cells = rows.map(
    (row) => `| ${[row.step, row.phase, row.duration, row.message].map(escapeCell).join(" | ")} |`,
  );
  return [
    `### ${title}`,
    "",
    "| step | phase | duration | message |",
    "| --- | --- | --- | --- |",
    ...cells,
    "",
    "",
  ].join("\n");
}

function escapeCell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
