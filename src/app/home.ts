/** Where this user's places and caches lie: $TIPHYS_HOME, else $XDG_STATE_HOME/tiphys, else ~/.local/state/tiphys. */

import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export function homeFolder(): string {
  const { TIPHYS_HOME, XDG_STATE_HOME } = process.env;
  const folder = TIPHYS_HOME || join(XDG_STATE_HOME || join(homedir(), ".local/state"), "tiphys");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
