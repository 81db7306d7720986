/** Isolation `plain`: what a container names at fixed paths is given there as links, or put into its arguments (pure). */

import type { Outside } from "./outside.js";
import { isBelow, type MountedFolder, type View } from "./view.js";

export interface PlainInput {
  /** The run's own folder. */
  readonly folder: string;
  readonly mounts: readonly MountedFolder[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Paths that the container is known to write and others read afterwards. */
  readonly writtenPaths: readonly string[];
  /** Where it is started in place of `/`; undefined when its working folder was named. */
  readonly standIn: string | undefined;
}

export interface PlainPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly view: View;
  /** Nothing may exist at these paths before. */
  readonly outside: Outside;
  /** Only one container at a time may use each of these. */
  readonly fixedPaths: readonly FixedPath[];
}

/**
 * A mount whose path appears only as whole arguments is put into them, so that such containers can run side by side;
 * any other mount becomes a link at its path.
 */
export function planPlain(input: PlainInput): PlainPlan {
  const rewritten = input.mounts.filter((mount) => isNamedInArgumentsOnly(mount, input));
  const linked = input.mounts.filter((mount) => !rewritten.includes(mount));
  const moves = input.writtenPaths
    .filter((path) => !input.mounts.some((mount) => isBelow(path, mount.path)))
    .filter((path, _, all) => !all.some((other) => other !== path && isBelow(path, other)))
    .map((path) => ({ from: path, to: `${input.folder}/moved${path}` }));
  // In an image `result.txt` would be `/result.txt`; what was written at the very path wins.
  const { standIn } = input;
  const relative = standIn === undefined ? [] : moves.map(({ from, to }) => ({ from: `${standIn}${from}`, to }));
  // A mount inside a mount is reached through a link in the outer one's folder; only outer ones are made.
  const outer = linked.filter((mount) => !linked.some((other) => other !== mount && isBelow(mount.path, other.path)));
  return {
    argv: input.argv.map((argument) => replaced(argument, rewritten)),
    env: input.env,
    view: {
      kind: "plain",
      folder: input.folder,
      mounts: input.mounts.map(({ path, source }) => ({ path, source })),
      overlays: [],
      links: [],
      shared: [],
      own: [],
      moved: moves,
      standIn: input.standIn,
    },
    outside: {
      links: outer.map((mount) => ({ path: mount.path, target: mount.source })),
      moves: [...relative, ...moves],
    },
    fixedPaths: [
      ...outer.map((mount) => ({ path: mount.path, target: mount.source })),
      ...moves.map((move) => ({ path: move.from, target: undefined })),
    ],
  };
}

function isNamedInArgumentsOnly(mount: MountedFolder, input: PlainInput): boolean {
  const whole = input.argv.filter((argument) => isBelow(argument, mount.path));
  if (whole.length === 0) return false;
  const others = [...input.argv.filter((argument) => !whole.includes(argument)), ...Object.values(input.env)];
  return !others.some((text) => text.includes(mount.path));
}

function replaced(argument: string, mounts: readonly MountedFolder[]): string {
  const mount = mounts
    .filter((one) => isBelow(argument, one.path))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  return mount === undefined ? argument : `${mount.source}${argument.slice(mount.path.length)}`;
}

/** A path of the machine that a container needs for itself, or to lead to `target`. */
export interface FixedPath {
  readonly path: string;
  readonly target: string | undefined;
}

interface Waiting {
  readonly paths: readonly FixedPath[];
  readonly go: () => void;
}

/** Who wants a path that another holds waits, in order. A link to the same target is held together. */
export class PathLocks {
  readonly #held = new Set<readonly FixedPath[]>();
  #waiting: Waiting[] = [];

  /** Resolves with the way to give all of them back. */
  async take(paths: readonly FixedPath[]): Promise<() => void> {
    if (this.#isFree(paths) && !this.#waiting.some((one) => collide(one.paths, paths))) this.#held.add(paths);
    else await new Promise<void>((go) => this.#waiting.push({ paths, go }));
    return () => this.#give(paths);
  }

  #isFree(paths: readonly FixedPath[]): boolean {
    return [...this.#held].every((held) => !collide(held, paths));
  }

  #give(paths: readonly FixedPath[]): void {
    if (!this.#held.delete(paths)) return;
    const still: Waiting[] = [];
    for (const one of this.#waiting) {
      if (this.#isFree(one.paths) && !still.some((earlier) => collide(earlier.paths, one.paths))) {
        this.#held.add(one.paths);
        one.go();
      } else {
        still.push(one);
      }
    }
    this.#waiting = still;
  }
}

function collide(a: readonly FixedPath[], b: readonly FixedPath[]): boolean {
  return a.some((one) => b.some((other) => overlap(one, other) && !isShared(one, other)));
}

function overlap(one: FixedPath, other: FixedPath): boolean {
  return isBelow(one.path, other.path) || isBelow(other.path, one.path);
}

function isShared(one: FixedPath, other: FixedPath): boolean {
  return one.path === other.path && one.target !== undefined && one.target === other.target;
}
