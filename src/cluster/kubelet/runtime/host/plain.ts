/** Isolation `plain`: what a container names at fixed paths is given there as links, or put into its arguments (pure). */

import { isBelow, type MountedFolder, type View } from "./view.js";

export interface PlainInput {
  /** The run's own folder. */
  readonly folder: string;
  readonly mounts: readonly MountedFolder[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Paths that the container is known to write and others read afterwards. */
  readonly writtenPaths: readonly string[];
}

export interface PlainPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly view: View;
  /** Made at the start, taken away at the end. Nothing may exist there before. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Moved into the run's folder at the end. Nothing may exist there before. */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** Only one container at a time may use these. */
  readonly fixedPaths: readonly string[];
}

/** Variables that would let a step act in the user's name on other systems. */
const UNSET = /^(KUBECONFIG|AWS_|GOOGLE_|GCP_|CLOUDSDK_|AZURE_|ARM_|ARGO_SERVER|ARGO_TOKEN)/;

export function isForeignCredential(name: string): boolean {
  return UNSET.test(name);
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
    },
    links: outer.map((mount) => ({ path: mount.path, target: mount.source })),
    moves,
    fixedPaths: [...outer.map((mount) => mount.path), ...moves.map((move) => move.from)],
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

interface Waiting {
  readonly paths: readonly string[];
  readonly go: () => void;
}

/** Who wants a path that another holds waits, in order. */
export class PathLocks {
  #held = new Set<string>();
  #waiting: Waiting[] = [];

  /** Resolves with the way to give all of them back. */
  async take(paths: readonly string[]): Promise<() => void> {
    if (!this.#isFree(paths) || this.#waiting.some((one) => overlap(one.paths, paths))) {
      await new Promise<void>((go) => this.#waiting.push({ paths, go }));
    } else {
      for (const path of paths) this.#held.add(path);
    }
    let given = false;
    return () => {
      if (!given) this.#give(paths);
      given = true;
    };
  }

  #isFree(paths: readonly string[]): boolean {
    return !overlap([...this.#held], paths);
  }

  #give(paths: readonly string[]): void {
    for (const path of paths) this.#held.delete(path);
    const still: Waiting[] = [];
    for (const one of this.#waiting) {
      if (this.#isFree(one.paths) && !still.some((earlier) => overlap(earlier.paths, one.paths))) {
        for (const path of one.paths) this.#held.add(path);
        one.go();
      } else {
        still.push(one);
      }
    }
    this.#waiting = still;
  }
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((one) => b.some((other) => isBelow(one, other) || isBelow(other, one)));
}
