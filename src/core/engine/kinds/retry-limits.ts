/** What a retry strategy asks of its attempts' pods (Argo 4.1 behaviour 3.10). */

import type { NodeStatus } from "../../model/argo/node.js";
import { msOf, parseDurationOrSeconds } from "../../std/duration.js";
import { startOf } from "../deadlines.js";
import { attemptsOf } from "../nodes/children.js";
import { isUnsuccessful } from "../nodes/phases.js";
import type { At } from "../pass.js";

function attemptsBefore({ pass, frame }: At): readonly NodeStatus[] {
  if (!frame.isAttempt || frame.owner === undefined) return [];
  const retry = pass.nodes.named(frame.owner.call.nodeName);
  return retry === undefined ? [] : attemptsOf(pass, retry);
}

function strategyOf({ pass, template }: At): At["template"]["retryStrategy"] {
  return template.retryStrategy ?? pass.spec.retryStrategy;
}

/** backoff.maxDuration from the first attempt on, for all attempts but the first; undefined: none. */
export function executionDeadline(at: At): number | undefined {
  const text = strategyOf(at)?.backoff?.maxDuration ?? "";
  const first = attemptsBefore(at)[0];
  if (text === "" || first === undefined || first.name === at.frame.call.nodeName) return undefined;
  const duration = parseDurationOrSeconds(text);
  return duration.ok ? startOf(at.pass, first) + msOf(duration.value) : undefined;
}

/** Hosts of failed attempts, where the strategy wants others. */
export function excludedHosts(at: At): readonly string[] {
  if (strategyOf(at)?.affinity?.nodeAntiAffinity === undefined) return [];
  const hosts = attemptsBefore(at)
    .filter((node) => isUnsuccessful(node) && node.hostNodeName !== undefined)
    .map(({ hostNodeName }) => hostNodeName ?? "");
  return [...new Set(hosts)];
}
