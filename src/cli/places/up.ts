/** The place that `tiphys up` keeps. */

import type { Context } from "../context.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { PlaceHandle } from "../ports.js";
import { upFolder } from "./folders.js";

/** To its owner. Rejects with CliError when nobody has it. */
export async function connectUp(context: Context): Promise<PlaceHandle> {
  const host = await context.ports.places();
  const folder = upFolder(context.home);
  if ((await host.ownership(folder)) === "owned") return host.connect(folder);
  throw new CliError(exitCodes.cannotRun, "no place is up", "tiphys run FILE, or tiphys up in another terminal");
}
