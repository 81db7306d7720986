/** The time zones that this machine knows. */

import type { TimeZones } from "../../core/validate/index.js";

export const timeZones: TimeZones = {
  has: (name) => {
    const known = resolved(name);
    // Where it is spelt otherwise by its letters' case alone, Argo's machine has no file of that name.
    return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
  },
  get names() {
    return Intl.supportedValuesOf("timeZone");
  },
};

/** Under the name that is in use now; undefined where there is none. */
function resolved(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
