/** A shell with one law broken: what takes the place of a part that ships. */

import type { ControllerParts } from "../../../src/controller/index.js";
import type { Client } from "../../../src/kube/client.js";
import type { SimProcess } from "./process.js";
import type { World } from "./world.js";

export interface Mutant {
  readonly name: string;
  /** Which law it breaks. */
  readonly breaks: string;
  /** Stands between the controller and the API. */
  readonly client?: (client: Client, world: World, process: SimProcess) => Client;
  readonly parts?: (world: World, client: Client) => Partial<ControllerParts>;
  /** What the machine keeps of the containers it started. */
  readonly records?: "kept" | "none";
  readonly fence?: "none";
}
