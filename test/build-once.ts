/** Builds `dist/` before suites that need it: worker threads, the helper process, the installed program. */

import { build } from "../scripts/build.js";

export async function setup(): Promise<void> {
  await build();
}
