/**
 * A status that the API will not take: the last good nodes stay as they are saved, and the workflow ends in Error with
 * size and limit in its message. Its pods then count as saved, or they would be held for ever (design 3).
 */

import { labels } from "../core/model/argo/names.js";
import { rfc3339OfMs } from "../core/std/time.js";
import { jsonView } from "./json-view.js";
import type { OpenRun, Unsaved } from "./open-runs.js";

/** What is saved in the place of what could not be; `refusal`: the API's words. */
export function tooLargeEnd(open: OpenRun, refusal: string, now: number): Unsaved {
  const { conditions = [], ...saved } = open.savedStatus;
  const finishedAt = rfc3339OfMs(now);
  const others = conditions.filter(({ type }) => type !== "Completed");
  return {
    nodesBefore: new Map(),
    status: {
      ...saved,
      phase: "Error",
      message: `the status is too large to save: ${sizeOf(open)} bytes; ${limitIn(refusal)}`,
      startedAt: saved.startedAt ?? finishedAt,
      finishedAt,
      conditions: [...others, { type: "Completed", status: "True" }],
    },
    labels: { [labels.phase]: "Error", [labels.completed]: "true" },
    annotations: {},
    demands: [],
  };
}

/** Of the whole status as JSON, which is what the API stores. */
function sizeOf(open: OpenRun): number {
  let size = textSize(open.unsaved.status);
  for (const node of open.run.nodes()) size += textSize(node) + node.id.length + 4;
  return size;
}

function textSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(jsonView(value) ?? null));
}

/** Not every server tells its limit. */
function limitIn(refusal: string): string {
  const [, limit] = /limit is (\d+)/.exec(refusal) ?? [];
  return limit === undefined ? `the API says: ${refusal}` : `the API's limit is ${limit}`;
}
