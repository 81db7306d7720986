/** The laws of the shell as parts that can be put in one by one: the simulator breaks each, to show that it would see it. */

import { openRun } from "../core/engine/index.js";
import type { Client } from "../kube/client.js";
import type { LeaderElector } from "../kube/leader.js";
import { pass } from "./pass.js";
import { podPass } from "./pods/loop.js";
import { ttlPass } from "./ttl.js";

export interface ControllerParts {
  readonly openRun: typeof openRun;
  readonly pass: typeof pass;
  readonly podPass: typeof podPass;
  readonly ttlPass: typeof ttlPass;
  /** Lets a client's writes leave only while we lead (design law 7). */
  readonly fence: (elector: LeaderElector, client: Client) => Client;
}

/** What ships. */
export const controllerParts: ControllerParts = {
  openRun,
  pass,
  podPass,
  ttlPass,
  fence: (elector, client) => elector.fenced(client),
};
