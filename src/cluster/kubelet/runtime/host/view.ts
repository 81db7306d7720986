/** Where a container's paths lie on this machine: a pure mapping, kept with each run so that it can be read later. */

export interface MountedFolder {
  readonly path: string;
  readonly source: string;
}

/** How a container saw the machine. All paths are absolute and normal. */
export interface View {
  readonly kind: "sandbox" | "plain";
  /** The run's own folder for what the container writes. */
  readonly folder: string;
  /** Volumes and other mounts; the longest path wins. */
  readonly mounts: readonly MountedFolder[];
  /** Folders with an upper layer in `folder`. */
  readonly overlays: readonly string[];
  /** Symbolic links outside of overlays, the same as the machine's. */
  readonly links: readonly string[];
  /** Folders and files that are the machine's, read only. */
  readonly shared: readonly string[];
  /** Folders of the container's own, kept in `folder/own`: /tmp, /run, homes. */
  readonly own: readonly string[];
  /** plain: paths outside that were moved into `folder` at the end. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** plain: the folder that stands for `/` where the container writes relative paths; it was started there. */
  readonly standIn: string | undefined;
}

export interface Places {
  /** Where the container's own version lies, if it has one. */
  readonly upper: string | undefined;
  /** The machine's version, seen where there is no own one. */
  readonly lower: string | undefined;
}

/** `/a//b/../c` -> `/a/c`; relative paths count from `/`. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

/** Where `path` (normal, without symbolic links on its way) lies. */
export function placesOf(view: View, path: string): Places {
  const mount = longest(view.mounts, path, (one) => one.path);
  const shared = longest(view.shared, path, (one) => one);
  const own = longest(view.own, path, (one) => one);
  const depth = Math.max(...[mount?.path, shared, own].map((one) => one?.length ?? 0));
  if (mount !== undefined && mount.path.length === depth) {
    return { upper: joined(mount.source, path.slice(mount.path.length)), lower: undefined };
  }
  if (own !== undefined && own.length === depth) {
    return { upper: `${view.folder}/own${path}`, lower: undefined };
  }
  if (shared !== undefined) return { upper: undefined, lower: path };
  return view.kind === "plain" ? plainPlaces(view, path) : layeredPlaces(view, path);
}

function plainPlaces(view: View, path: string): Places {
  const moved = longest(view.moved, path, (one) => one.from);
  if (moved !== undefined) return { upper: joined(moved.to, path.slice(moved.from.length)), lower: path };
  return { upper: view.standIn === undefined ? undefined : `${view.standIn}${path}`, lower: path };
}

function layeredPlaces(view: View, path: string): Places {
  if (view.overlays.some((one) => isBelow(path, one))) return { upper: `${view.folder}/upper${path}`, lower: path };
  return { upper: `${view.folder}/root${path}`, lower: path === "/" || view.links.includes(path) ? path : undefined };
}

function joined(folder: string, rest: string): string {
  return folder === "/" ? rest : `${folder}${rest}`;
}

function longest<T>(items: readonly T[], path: string, pathOf: (item: T) => string): T | undefined {
  let best: T | undefined;
  for (const item of items) {
    if (!isBelow(path, pathOf(item))) continue;
    if (best === undefined || pathOf(item).length > pathOf(best).length) best = item;
  }
  return best;
}
