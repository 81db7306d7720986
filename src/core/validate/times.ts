/** Durations, deadlines and retries that cannot be read; Argo finds these when it runs (Argo 4.1 behaviour 2.7, 3.10, 3.13). */

import type { RetryStrategy } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { parseDuration, parseDurationOrSeconds } from "../std/duration.js";
import type { FoundTemplate } from "./context.js";
import { checkExpression } from "./expressions.js";
import type { KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";

export function checkRetry(
  retry: RetryStrategy | undefined,
  path: string,
  names: KnownNames | undefined,
  spot: Spot,
): void {
  if (retry === undefined) return;
  checkWhole(retry.limit, fieldPath(path, "limit"), spot);
  const { backoff, expression = "" } = retry;
  if (backoff !== undefined) {
    const at = fieldPath(path, "backoff");
    if ((backoff.duration ?? "") === "") {
      spot.tell({
        code: "missing-field",
        path: at,
        message: "backoff.duration is missing",
        hint: "add duration: 10s, the first wait",
        lacks: [fieldPath(at, "duration")],
      });
    }
    checkDuration(backoff.duration, fieldPath(at, "duration"), spot);
    checkDuration(backoff.maxDuration, fieldPath(at, "maxDuration"), spot);
    checkDuration(backoff.cap, fieldPath(at, "cap"), spot);
    checkWhole(backoff.factor, fieldPath(at, "factor"), spot);
  }
  if (expression === "" || expression.includes("{{") || names === undefined) return;
  checkExpression({ source: expression, path: fieldPath(path, "expression"), place: "retry" }, names, spot);
}

/** Seconds, or a Go duration; a variable may come to either. */
export function checkDuration(text: string | undefined, path: string, spot: Spot): void {
  if (text === undefined || text === "" || text.includes("{{") || parseDurationOrSeconds(text).ok) return;
  spot.tell({ code: "bad-value", path, message: `"${text}" is no duration`, hint: "write such as 30s, 5m, 1h30m" });
}

function checkWhole(value: number | string | undefined, path: string, spot: Spot): void {
  if (value === undefined || /^[+-]?\d+$/.test(String(value)) || String(value).includes("{{")) return;
  spot.tell({ code: "bad-value", path, message: `"${value}" is no whole number` });
}

/** A timeout has a unit; whole numbers are told where Argo refuses them. */
export function checkTimes({ template, path, spot }: FoundTemplate): void {
  for (const field of ["timeout", "pendingTimeout"] as const) {
    const text = template[field] ?? "";
    if (text === "" || text.includes("{{") || /^[+-]?\d+$/.test(text) || parseDuration(text).ok) continue;
    const message = `"${text}" is no duration`;
    spot
      .unseen()
      .tell({ code: "bad-value", path: fieldPath(path, field), message, hint: "write such as 30s, 5m, 1h30m" });
  }
}

export function checkSuspend({ template, path, spot }: FoundTemplate): void {
  checkDuration(template.suspend?.duration, fieldPath(fieldPath(path, "suspend"), "duration"), spot.unseen());
}
