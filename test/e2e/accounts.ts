/** Whom the program runs as: whoever runs the tests, and, where that is root, also a user who is not. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Account {
  readonly name: string;
  /** Words before the command line. */
  readonly prefix: readonly string[];
  /** User and group; undefined for whoever runs the tests. */
  readonly id: number | undefined;
}

const NOBODY = 65534;

const isRoot = process.getuid?.() === 0;

export const mine: Account = { name: isRoot ? "root" : "a user who is not root", prefix: [], id: undefined };

export const nobody: Account = {
  name: "a user who is not root",
  prefix: ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"],
  id: NOBODY,
};

/** Why nothing can be run as another user here; empty where it can. */
export const whyNotNobody: string = reason();

function reason(): string {
  if (!isRoot) return "the tests do not run as root";
  const repository = fileURLToPath(new URL("../..", import.meta.url));
  const [file = "", ...words] = [
    ...nobody.prefix,
    process.execPath,
    "-e",
    "process.chdir(process.argv[1])",
    repository,
  ];
  const { status, error, stderr } = spawnSync(file, words, { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? "" : `another user cannot read ${repository}: ${stderr.trim().split("\n").at(-1) ?? ""}`;
}

/** For journeys that are made as root and as another user; where only one of them can be had, that is said. */
export function accountsHere(): readonly Account[] {
  if (whyNotNobody === "") return [mine, nobody];
  console.log(`only as ${mine.name}: ${whyNotNobody}`);
  return [mine];
}
