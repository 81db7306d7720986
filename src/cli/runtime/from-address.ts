/** What came from an address: where its steps may not run unless the user asked for that. */

import type { Problem } from "../../core/std/problem.js";
import type { PlaceSettings } from "../places/files.js";

/** For a place that there is already; undefined where it may run what came from an address. */
export function addressRefusal(settings: PlaceSettings | undefined, hint: string): Problem | undefined {
  // What an older version made has nothing of what was asked for, and what has no settings may be anything.
  const { options, requested = "auto", runtimeText = "host" } = settings ?? {};
  const isOpen = options === undefined || (options.runtime === "host" && options.isolation !== "full");
  if (!isOpen || requested !== "auto") return undefined;
  const message = `this file came from an address, and the place runs steps on this machine (${runtimeText})`;
  return { code: "no-runtime", severity: "error", path: "", message, hint };
}
