/** The two small files beside a place's store: what `list` shows, and how its owner was started. */

import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlaceOptions, RuntimeName } from "../ports.js";
import type { ListRow } from "../print/list.js";
import { isMissing, type PlaceKind } from "./folders.js";

/** Kept up to date by the owner, so that `list` need not open a hundred stores. */
export interface PlaceIndex {
  readonly v: 1;
  readonly kind: PlaceKind;
  readonly uid: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly workflows: readonly ListRow[];
  /** Size of the folder, taken when its owner let go; 0 while it runs. */
  readonly bytes: number;
}

/** How a spec was taken from its file: said with `run`, and true of a correction of that file too. */
export interface SpecGiven {
  /** Files, folders and addresses beside it, those of `--with` too; absolute. */
  readonly beside: readonly string[];
  readonly strict: boolean;
  readonly from?: string | undefined;
  readonly entrypoint?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly priority?: number | undefined;
}

/** What retry, resume and shell need to go on as the place began. */
export interface PlaceSettings {
  readonly v: 1;
  readonly options: PlaceOptions;
  /** What `--runtime` or tiphys.yaml named; undefined in the places of older versions. */
  readonly requested?: "auto" | RuntimeName;
  /** Said on the terminal when the place was made: `docker 27.1`, `host, full isolation`. */
  readonly runtimeText: string;
  /** Absolute path of the file that `run` was given; empty for stdin and addresses. */
  readonly specFile: string;
  /** Undefined in the places of `up`, and of older versions. */
  readonly specGiven?: SpecGiven | undefined;
  /** Of that file's text when it was run; empty without one. */
  readonly specHash: string;
}

const INDEX = "index.json";
const SETTINGS = "place.json";

export function readIndex(folder: string): Promise<PlaceIndex | undefined> {
  return readJson(join(folder, INDEX), isIndex);
}

/** Also one that this version cannot read. */
export function hasIndex(folder: string): Promise<boolean> {
  return access(join(folder, INDEX)).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

export function writeIndex(folder: string, index: PlaceIndex): Promise<void> {
  return writeJson(join(folder, INDEX), index);
}

export function readSettings(folder: string): Promise<PlaceSettings | undefined> {
  return readJson(join(folder, SETTINGS), isSettings);
}

export function writeSettings(folder: string, settings: PlaceSettings): Promise<void> {
  return writeJson(join(folder, SETTINGS), settings);
}

/** Undefined when the file is missing or is not what it should be: a place without it can still be opened. */
async function readJson<T>(file: string, is: (value: unknown) => value is T): Promise<T | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return is(value) ? value : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Readers see the old file or the new one, never half of it. */
async function writeJson(file: string, value: PlaceIndex | PlaceSettings): Promise<void> {
  const temporary = `${file}.new`;
  try {
    await writeFile(temporary, JSON.stringify(value), { mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function isIndex(value: unknown): value is PlaceIndex {
  return hasVersion(value) && "workflows" in value && Array.isArray(value.workflows);
}

function isSettings(value: unknown): value is PlaceSettings {
  return hasVersion(value) && "options" in value;
}

function hasVersion(value: unknown): value is object {
  return typeof value === "object" && value !== null && "v" in value && value.v === 1;
}
