/** The laws of the shell as parts that can be put in one by one: the simulator breaks each, to show that it would see it. */

import { openRun } from "../core/engine/index.js";
import { pass } from "./pass.js";
import { podPass } from "./pods/loop.js";
import { ttlPass } from "./ttl.js";

export interface ControllerParts {
  readonly openRun: typeof openRun;
  readonly pass: typeof pass;
  readonly podPass: typeof podPass;
  readonly ttlPass: typeof ttlPass;
}

/** What ships. */
export const controllerParts: ControllerParts = { openRun, pass, podPass, ttlPass };
