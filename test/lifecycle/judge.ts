/** A case's verdict: what differs from what is right. */

import { UnknownActError } from "./acts.js";
import type { LifecycleCase } from "./case.js";
import { compare, oursOf, type Values } from "./compare.js";
import { whyLeftOut } from "./left-out.js";
import { type Played, play } from "./play.js";
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
    const wrong = wrongIn(one, await play(one));
    return wrong.length === 0 ? { kind: "right" } : { kind: "wrong", why: wrong };
  } catch (error) {
    if (error instanceof UntranslatedError || error instanceof UnknownActError)
      return { kind: "left-out", why: error.message };
    return { kind: "wrong", why: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

/** What is not as it should be of a case that was played; empty when all is right. */
export function wrongIn(one: LifecycleCase, { seen, broken }: Played): readonly string[] {
  return [...broken, ...faultsOf(one, oursOf(one, seen))];
}

/** Where Argo is not right, the ruling says what is: each of its values must be ours. All else is to be as Argo's. */
function faultsOf(one: LifecycleCase, ours: Values): readonly string[] {
  const { right = {}, rule = "" } = rulings[one.id] ?? rulings[one.name] ?? {};
  const ruled = Object.entries(right)
    .filter(([path, value]) => (ours[path] ?? "") !== value)
    .map(([path, value]) => faultText(path, ours, `right (${rule}): ${value}`));
  const others = compare(one, ours)
    .filter(({ path }) => !(path in right))
    .map(({ path, argos }) => faultText(path, ours, `Argo: ${argos}`));
  return [...ruled, ...others];
}

function faultText(path: string, ours: Values, wanted: string): string {
  return `${path}\n      ours: ${ours[path] ?? ""}\n      ${wanted}`;
}
