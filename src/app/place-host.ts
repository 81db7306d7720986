/** The machinery behind places, as the command line asks for it. */

import { existsSync } from "node:fs";
import type { PlaceHost } from "../cli/ports.js";
import { ownPlace } from "./owner.js";
import { connectPlace, isOwned, readPlace } from "./peer.js";
import { placePaths } from "./place-paths.js";
import { probe } from "./probe.js";

export const placeHost: PlaceHost = {
  create: ownPlace,
  takeOver: ownPlace,
  open: readPlace,
  connect: connectPlace,
  ownership: async (folder) => {
    if (!existsSync(placePaths(folder).store)) return "absent";
    return (await isOwned(folder)) ? "owned" : "free";
  },
  probe,
};
