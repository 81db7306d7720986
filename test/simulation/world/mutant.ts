/** A shell with one law broken: what takes the place of a part that ships. */

import type { ControllerParts } from "../../../src/controller/index.js";
import type { Client } from "../../../src/kube/client.js";
import type { Plan } from "../run.js";
import type { SimProcess } from "./process.js";
import type { World } from "./world.js";

export interface Mutant {
  readonly name: string;
  /** The runs in which it shows; left out: those of the generator. */
  readonly planOf?: (seed: number) => Plan;
  /** Which law it breaks. */
  readonly breaks: string;
  /** The other laws keep what it breaks from doing harm: only I2, which looks at the view behind a write, sees it. */
  readonly seenBy?: "I2";
  /** Stands between the controller and the API. */
  readonly client?: (client: Client, world: World, process: SimProcess) => Client;
  readonly parts?: (world: World, client: Client) => Partial<ControllerParts>;
  /** What the machine keeps of the containers it started. */
  readonly records?: "kept" | "none";
  readonly fence?: "none";
}
