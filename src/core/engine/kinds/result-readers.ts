/** Whether someone reads what a step prints: only then is it captured (Argo 4.1 behaviour 3.4.6). */

import { boundaryFrameOf } from "../parallelism.js";
import type { At } from "../pass.js";

/** The template around it names `steps.<name>.outputs.result`, or the like. */
export function readsResult({ frame }: At): boolean {
  const boundary = boundaryFrameOf(frame);
  const template = boundary?.resolved?.template;
  if (boundary === undefined || template === undefined) return false;
  const name = lastSegment(frame.call.nodeName);
  const known = boundary.resultReaders.get(name);
  if (known !== undefined) return known;
  const reads = namesResult(JSON.stringify(template), name);
  boundary.resultReaders.set(name, reads);
  return reads;
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

function namesResult(json: string, name: string): boolean {
  const escaped = JSON.stringify(name).slice(1, -1);
  return ["steps", "tasks"].some((word) =>
    [
      `${word}.${escaped}.outputs.result`,
      `${word}['${escaped}'].outputs.result`,
      `${word}[\\"${escaped}\\"].outputs.result`,
    ].some((text) => json.includes(text)),
  );
}
