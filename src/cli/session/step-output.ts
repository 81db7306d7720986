/** Where the lines of steps go: above the live tree, into a pipe, into a CI's groups, or nowhere. */

import type { Context } from "../context.js";
import { annotation, groupText } from "../print/ci.js";
import { StepLabels, WHOLE_LABEL } from "../print/step-lines.js";
import { shownLineMax, terminalLine, wholeLineMax } from "../print/step-output.js";
import type { Screen } from "../terminal/screen.js";
import type { StepLog } from "./step-logs.js";

export interface StepOutput {
  /** A promise where it cannot take more yet. */
  lines(log: StepLog, lines: readonly string[]): Promise<void> | undefined;
  ended(log: StepLog): void;
  /** Every line counts: a file or another program reads them. */
  readonly wantsAll: boolean;
  /** Longer lines are cut. */
  readonly lineMax: number;
}

export const noSteps: StepOutput = {
  lines: () => undefined,
  ended: () => undefined,
  wantsAll: false,
  lineMax: shownLineMax,
};

/** Scrolls above the tree; what the terminal cannot take is skipped there. */
export function stepsOnScreen(context: Context, screen: Screen): StepOutput {
  const labels = new StepLabels(context.out);
  const colors = context.out.color ? "keep" : "drop";
  return {
    lines: ({ label }, lines) => {
      const prefix = labels.prefix(label);
      for (const line of lines) screen.line(prefix + terminalLine(line, colors));
      return undefined;
    },
    ended: () => undefined,
    wantsAll: false,
    lineMax: shownLineMax,
  };
}

/** `unit │ …`, every line, as fast as the reader takes them. */
export function stepsInPipe(context: Context): StepOutput {
  const { stdout, env } = context.ports;
  const labels = new StepLabels(context.out, WHOLE_LABEL);
  const colors = env.get("NO_COLOR") ? "drop" : "keep";
  return {
    lines: ({ label }, lines) => {
      const prefix = labels.prefix(label);
      const text = lines.map((line) => `${prefix}${terminalLine(line, colors)}\n`).join("");
      return stdout.write(text) ? undefined : stdout.drained();
    },
    ended: () => undefined,
    wantsAll: true,
    lineMax: wholeLineMax,
  };
}

/** Lines of one step that a group holds at most; GitHub shows no more of them anyway. */
const GROUP_LINES_MAX = 20_000;

/** One group a step, whole when it ends, so that steps side by side do not mix. */
export function stepsInGroups(context: Context): StepOutput {
  const { stdout, chance } = context.ports;
  const open = new Map<string, { lines: string[]; dropped: number }>();
  return {
    lines: (log, lines) => {
      const group = open.get(keyOf(log)) ?? { lines: [], dropped: 0 };
      open.set(keyOf(log), group);
      group.lines.push(...lines.map((line) => terminalLine(line, "keep")));
      const over = group.lines.length - GROUP_LINES_MAX;
      if (over > 0) {
        group.lines.splice(0, over);
        group.dropped += over;
      }
      return undefined;
    },
    ended: (log) => {
      const group = open.get(keyOf(log));
      if (group === undefined) return;
      open.delete(keyOf(log));
      const cut = group.dropped > 0 ? [`(${group.dropped} lines before these are in the log only)`] : [];
      stdout.write(groupText({ title: log.label, lines: [...cut, ...group.lines], token: chance.uuid() }));
    },
    wantsAll: true,
    lineMax: shownLineMax,
  };
}

/** Steps side by side may have one label: items of nested loops, steps of several workflows. */
function keyOf({ podUid, pod, container }: StepLog): string {
  return `${pod.namespace}/${pod.name}/${podUid}/${container}`;
}

/** A failed step as GitHub marks it in the file. */
export function failureAnnotation(step: {
  readonly name: string;
  readonly reason: string;
  readonly position: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}): string {
  const fault = { severity: "error", title: `step ${step.name} failed`, message: step.reason } as const;
  return annotation(step.position === undefined ? fault : { ...fault, position: step.position });
}
