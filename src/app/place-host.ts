/** The machinery behind places, as the command line asks for it. */

import { existsSync } from "node:fs";
import type { PlaceHost } from "../cli/ports.js";
import { ownPlace } from "./owner.js";
import { isOwned } from "./ownership.js";
import { placePaths } from "./place-paths.js";
import { probe } from "./probe.js";
import { removePlace } from "./remove-place.js";

export const placeHost: PlaceHost = {
  create: ownPlace,
  takeOver: ownPlace,
  // With them comes an HTTP client, which the owner of a place has no use for.
  open: async (folder) => (await import("./peer.js")).readPlace(folder),
  connect: async (folder) => (await import("./peer.js")).connectPlace(folder),
  hold: async (folder) => (await import("./peer.js")).holdPlace(folder),
  remove: removePlace,
  server: async (origin) => (await import("./peer.js")).connectServer(origin),
  ownership: async (folder) => {
    if (!existsSync(placePaths(folder).store)) return "absent";
    return (await isOwned(folder)) ? "owned" : "free";
  },
  probe,
};
