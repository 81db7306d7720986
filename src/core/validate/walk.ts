/** Runs a walk that goes down into further walks on a stack of its own: however deep, the call stack stays flat. */

/** A walk yields the walks below it, and goes on when they are done. */
export interface Walk extends Generator<Walk, void, undefined> {}

export function runWalk(first: Walk): void {
  const stack: Walk[] = [first];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const step = top.next();
    if (step.done === true) stack.pop();
    else stack.push(step.value);
  }
}
