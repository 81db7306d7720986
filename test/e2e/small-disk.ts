/** A disk of its own, small enough to fill; only root can make one. */

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export class SmallDisk {
  readonly folder: string;
  readonly isThere: boolean;

  constructor(below: string) {
    this.folder = join(below, "small");
    mkdirSync(this.folder);
    this.isThere = spawnSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", this.folder]).status === 0;
  }

  remove(): void {
    if (this.isThere) spawnSync("umount", [this.folder]);
  }
}
