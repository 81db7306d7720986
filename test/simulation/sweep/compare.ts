/** What two plays of one sample came to, compared; and the few places in which a fault may change what is told. */

import type { Ending } from "./ending.js";
import { GONE, type Sample } from "./sample.js";

/** Two outcomes are right: both become one text before they are compared, or the fact is left out. */
interface Rule {
  applies(sample: Sample): boolean;
  readonly texts?: readonly (readonly [RegExp, string])[];
  readonly leftOut?: RegExp;
}

const ADS = "Pod was active on the node longer than the specified deadline";

const rules: readonly Rule[] = [
  // How far a workflow came that a person deletes while it runs is a matter of moments: what becomes of its pods is not.
  { applies: ({ ends }) => ends === GONE, leftOut: /^(workflow|node .*)$/ },
  // A workflow's deadline is kept twice: by the kubelet, in whole seconds from the pod's start, and by the controller
  // (Argo 4.1 behaviour 3.13). A pod that starts late meets the controller first, and each has its own words.
  {
    applies: ({ workflow }) => workflow.spec.activeDeadlineSeconds !== undefined,
    texts: [
      [new RegExp(`"message":"${ADS}","phase":"Failed","reason":"DeadlineExceeded"`), '"phase":"Failed"'],
      [new RegExp(`"message":"(${ADS}|main: Error \\(exit code 143\\))","name"`), '"message":"deadline","name"'],
    ],
  },
];

/** Empty when nothing differs; one text a fact. */
export function differences(sample: Sample, usual: Ending, other: Ending): readonly string[] {
  const own = rules.filter((rule) => rule.applies(sample));
  const names = [...new Set([...usual.facts.keys(), ...other.facts.keys()])];
  const compared = names.filter((name) => !own.some(({ leftOut }) => leftOut?.test(name)));
  return compared.flatMap((name) => {
    const [was, is] = [usual.facts.get(name), other.facts.get(name)];
    const isSame = was === is || (was !== undefined && is !== undefined && told(own, was) === told(own, is));
    return isSame ? [] : [`${name}:\n      usual ${was ?? "none"}\n      now   ${is ?? "none"}`];
  });
}

function told(own: readonly Rule[], fact: string): string {
  const texts = own.flatMap((rule) => rule.texts ?? []);
  return texts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), fact);
}
