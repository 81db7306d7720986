/** Finds the program that a container's command names, as the container will see it. */

import { type Stats, statSync } from "node:fs";
import { findInView } from "./read-view.js";
import type { View } from "./view.js";

/** Programs that stand in for one that a machine may lack. */
const STAND_INS: Readonly<Record<string, string>> = { python: "python3", pip: "pip3" };

export interface ProgramInput {
  readonly view: View;
  readonly name: string;
  readonly path: string;
  readonly workingDir: string;
}

/** The name or path to run; undefined when there is none, not even a stand-in. */
export function findProgram(input: ProgramInput): string | undefined {
  if (exists(input)) return input.name;
  const slash = input.name.lastIndexOf("/");
  const standIn = STAND_INS[input.name.slice(slash + 1)];
  if (standIn === undefined) return undefined;
  for (const name of [`${input.name.slice(0, slash + 1)}${standIn}`, standIn]) {
    if (exists({ ...input, name })) return name;
  }
  return undefined;
}

function exists(input: ProgramInput): boolean {
  const { name, workingDir } = input;
  if (name.startsWith("/")) return isProgram(input.view, name);
  if (name.includes("/")) return isProgram(input.view, `${workingDir}/${name}`);
  for (const folder of input.path.split(":")) {
    if (folder.startsWith("/") && isProgram(input.view, `${folder}/${name}`)) return true;
  }
  return false;
}

function isProgram(view: View, path: string): boolean {
  const info = isMachine(view) ? statOf(path) : findInView(view, path)?.info;
  return info?.isFile() === true && (info.mode & 0o111) !== 0;
}

/** Where nothing is mounted in isolation plain, the machine itself knows where a path leads. */
function isMachine({ kind, mounts, moved }: View): boolean {
  return kind === "plain" && mounts.length === 0 && moved.length === 0;
}

/** Undefined also where this user may not look. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
