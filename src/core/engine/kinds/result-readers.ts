/** Whether someone reads what a step prints: only then is it captured (Argo 4.1 behaviour 3.4.6). */

import { boundaryFrameOf } from "../parallelism.js";
import type { At } from "../pass.js";

/** The template around it names `steps.<name>.outputs.result`, or the like. */
export function readsResult({ frame }: At): boolean {
  const boundary = boundaryFrameOf(frame);
  const template = boundary?.resolved?.template;
  if (boundary === undefined || template === undefined) return false;
  boundary.resultReaders ??= namesOfResults(JSON.stringify(template));
  return boundary.resultReaders.has(lastSegment(frame.call.nodeName));
}

/** `wf.a[0].b(1:x)(0)` is a step called `b`. */
function lastSegment(nodeName: string): string {
  let name = nodeName;
  for (let shorter = withoutGroup(name); shorter !== name; shorter = withoutGroup(name)) name = shorter;
  return name.slice(name.lastIndexOf(".") + 1);
}

function withoutGroup(name: string): string {
  if (name.endsWith(")")) return name.slice(0, Math.max(0, name.lastIndexOf("(")));
  return name.replace(/\[[^[\]]*\]$/, "");
}

/** `steps.x.outputs.result`, `tasks['x'].outputs.result`, and with double quotes, which JSON escapes. */
const READER = /(?:steps|tasks)(?:\.([^.\s"'[\]{}()]+)|\['([^']+)'\]|\[\\"([^"\\]+)\\"\])\.outputs\.result/g;

function namesOfResults(json: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, plain, single, double] of json.matchAll(READER)) names.add(plain ?? single ?? double ?? "");
  return names;
}
