/** Controllers that stand for election, with one law of that broken each; for runs with two of them. */

import { podPass } from "../../../src/controller/pods/loop.js";
import { ttlPass } from "../../../src/controller/ttl.js";
import type { Mutant } from "../world/mutant.js";

export const electionMutants: readonly Mutant[] = [
  { name: "no fence", breaks: "law 7", fence: "none" },
  {
    name: "a new leader lets pods vanish at once",
    breaks: "law 7",
    parts: () => ({
      podPass: (ports, signalled, uid) => podPass({ ...ports, podsStayUntil: 0 }, signalled, uid),
      ttlPass: (ports, key) => ttlPass({ ...ports, podsStayUntil: 0 }, key),
    }),
  },
];
