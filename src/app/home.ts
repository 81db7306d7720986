/** Where this user's places and caches lie: $TIPHYS_HOME, else $XDG_STATE_HOME/tiphys, else ~/.local/state/tiphys. */

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { makeFolder } from "../cli/places/make-folder.js";

export function homeFolder(): string {
  const { TIPHYS_HOME, XDG_STATE_HOME } = process.env;
  const folder = resolve(TIPHYS_HOME || join(XDG_STATE_HOME || join(homedir(), ".local/state"), "tiphys"));
  makeFolder(folder, 0o700);
  return folder;
}
