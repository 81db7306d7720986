/** What two plays of one sample came to, compared; and the few places in which a fault may change what is told. */

import type { Ending } from "./ending.js";
import type { Sample } from "./sample.js";

/** Two outcomes are right: both become one text before they are compared. */
interface Rule {
  applies(sample: Sample): boolean;
  readonly texts: readonly (readonly [RegExp, string])[];
}

const ADS = "Pod was active on the node longer than the specified deadline";

const rules: readonly Rule[] = [
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
  const names = new Set([...usual.facts.keys(), ...other.facts.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [usual.facts.get(name), other.facts.get(name)];
    const isSame = was === is || (was !== undefined && is !== undefined && told(sample, was) === told(sample, is));
    return isSame ? [] : [`${name}:\n      usual ${was ?? "none"}\n      now   ${is ?? "none"}`];
  });
}

function told(sample: Sample, fact: string): string {
  const texts = rules.filter((rule) => rule.applies(sample)).flatMap((rule) => rule.texts);
  return texts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), fact);
}
