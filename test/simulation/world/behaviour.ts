/**
 * What a simulated container does, said by its own args, so that a workflow's text fixes its run: `ms=500` (how long),
 * `exit=1`, `exit=1,1,0` (by attempt), `never` (daemons only), `ignore-term`, `term-ms=300`, `out=/path:text`, `print=text`, `ready-ms=2000`.
 */

import { defaultOutcome, type ScriptOutcome } from "../../../src/cluster/kubelet/index.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";

export function behaviourOf(pod: Pod, container: Container): ScriptOutcome {
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  const value = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const print = value("print");
  const isDaemon = pod.metadata.annotations?.[annotations.daemon] === "true";
  return {
    ...defaultOutcome,
    durationMs: words.includes("never") && isDaemon ? undefined : Number(value("ms") ?? "100"),
    exitCode: exitCodeOf(value("exit"), pod),
    stdout: print === undefined ? "" : `${print}\n`,
    files: filesOf(words),
    onTerm: words.includes("ignore-term") ? "ignore" : 143,
    termDelayMs: Number(value("term-ms") ?? "0"),
    readyAfterMs: Number(value("ready-ms") ?? "0"),
  };
}

/** Later attempts than listed do as the last one listed. */
function exitCodeOf(codes: string | undefined, pod: Pod): number {
  const list = (codes ?? "0").split(",").map(Number);
  return list[Math.min(attemptOf(pod), list.length - 1)] ?? 0;
}

/** From the node's name, `…(2)`: 0 for a step that is not retried. */
function attemptOf(pod: Pod): number {
  const name = pod.metadata.annotations?.[annotations.nodeName] ?? "";
  return Number(/\((\d+)\)$/.exec(name)?.[1] ?? "0");
}

function filesOf(words: readonly string[]): Readonly<Record<string, string>> {
  const files = words.filter((word) => word.startsWith("out=")).map((word) => word.slice(4).split(":"));
  return Object.fromEntries(files.map(([path = "", ...rest]) => [path, rest.join(":")]));
}
