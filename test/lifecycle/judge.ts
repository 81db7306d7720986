/** A case's verdict: what differs from what is right. */

import { UnknownActError } from "./acts.js";
import type { LifecycleCase } from "./case.js";
import { compare, type Difference } from "./compare.js";
import { whyLeftOut } from "./left-out.js";
import { play } from "./play.js";
import { rulings } from "./rulings.js";
import { UntranslatedError } from "./translate/shell.js";

export type Verdict =
  | { readonly kind: "right" }
  | { readonly kind: "wrong"; readonly why: readonly string[] }
  | { readonly kind: "left-out"; readonly why: string };

export async function judge(one: LifecycleCase): Promise<Verdict> {
  const why = whyLeftOut(one);
  if (why !== undefined) return { kind: "left-out", why };
  try {
    const { seen, broken } = await play(one);
    const wrong = [...broken, ...againstRuling(one.name, compare(one, seen))];
    return wrong.length === 0 ? { kind: "right" } : { kind: "wrong", why: wrong };
  } catch (error) {
    if (error instanceof UntranslatedError || error instanceof UnknownActError)
      return { kind: "left-out", why: error.message };
    return { kind: "wrong", why: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

/** Where Argo is not right, the ruling says what is: each of its values must be ours. */
function againstRuling(name: string, differences: readonly Difference[]): readonly string[] {
  const { right = {}, rule = "" } = rulings[name] ?? {};
  const open = new Map(Object.entries(right));
  const wrong = differences.flatMap(({ path, ours, argos }) => {
    const ruled = open.get(path);
    open.delete(path);
    if (ruled === ours) return [];
    const wanted = ruled === undefined ? `Argo: ${argos}` : `right (${rule}): ${ruled}`;
    return [`${path}\n      ours: ${ours}\n      ${wanted}`];
  });
  const unmet = [...open].map(([path, value]) => `${path}\n      ours: as Argo's\n      right (${rule}): ${value}`);
  return [...wrong, ...unmet];
}
