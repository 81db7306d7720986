/** Loads input artifacts to where main finds them (Argo 4.1 behaviour 6.2). */

import { chmod, lstat, mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Archiver,
  ArtifactError,
  completeLocation,
  copyTree,
  driverOf,
  type GivenName,
  givenNameOf,
  isGzippedTar,
  storesOf,
} from "../artifacts/index.js";
import type { BuiltinContext } from "../cluster/kubelet/builtin.js";
import type { Artifact } from "../core/model/argo/artifact.js";
import { messageOf } from "../core/std/message.js";
import { inputDestination } from "./destination.js";
import type { ExecutorEnvironment } from "./environment.js";
import { archiveLocationFor } from "./locations.js";
import { moveInto } from "./move.js";
import type { ArtifactOverride, ExecutorOptions } from "./options.js";

export interface InputWork {
  readonly context: BuiltinContext;
  readonly environment: ExecutorEnvironment;
  readonly options: ExecutorOptions;
  readonly archiver: Archiver;
}

/** One after the other, in the template's order; rejects with the first failure. */
export async function loadInputs(work: InputWork): Promise<void> {
  for (const artifact of work.environment.template.inputs?.artifacts ?? []) await loadInput(artifact, work);
}

async function loadInput(artifact: Artifact, work: InputWork): Promise<void> {
  const override = overrideOf(artifact, work);
  if (override === undefined && driverOf(artifact) === undefined) {
    if (artifact.optional === true) return;
    throw new ArtifactError("not-found", `required artifact '${artifact.name}' not supplied`);
  }
  const target = await inputDestination(artifact, work.context);
  try {
    await loadTo(target, { artifact, override, work });
  } catch (error) {
    if (artifact.optional !== true || !(error instanceof ArtifactError) || error.code !== "not-found") {
      throw new ArtifactError("failed", `artifact ${artifact.name} failed to load: ${messageOf(error)}`);
    }
    work.context.log(`optional artifact ${artifact.name} is not there: ${error.message}`);
  }
}

interface Load {
  readonly artifact: Artifact;
  readonly override: ArtifactOverride | undefined;
  readonly work: InputWork;
}

async function loadTo(target: string, { artifact, override, work }: Load): Promise<void> {
  const scratch = await mkdtemp(join(await besides(target), ".tiphys-"));
  try {
    const loaded = join(scratch, "loaded");
    if (override === undefined) await fetchArtifact(artifact, loaded, work);
    else await copyTree(override.path, loaded);
    await place(artifact, { loaded, target, scratch, isOverride: override !== undefined }, work.archiver);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  if (artifact.mode !== undefined) await setMode(target, artifact.mode, artifact.recurseMode === true ? "all" : "one");
}

/**
 * A folder on the target's own file system, where this user may write. Of a volume's root that is the volume: what lies around
 * a folder of the user's is not ours.
 */
async function besides(target: string): Promise<string> {
  const info = await lstat(target).catch(() => undefined);
  return info?.isDirectory() === true ? target : dirname(target);
}

/** One that the location names, else by the artifact's name: one for this template counts before one for any. */
function overrideOf(artifact: Artifact, { environment, options }: InputWork): ArtifactOverride | undefined {
  const overrides = options.overrides ?? [];
  const given = givenNameOf(artifact);
  if (given !== undefined) return givenOverride(given, overrides);
  const named = overrides.filter(({ name }) => name === artifact.name);
  const own = named.find(({ template }) => template !== null && template === environment.template.name);
  return own ?? named.find(({ template }) => template === null);
}

function givenOverride(given: GivenName, overrides: readonly ArtifactOverride[]): ArtifactOverride {
  const found = overrides.find(({ template, name }) => template === given.template && name === given.name);
  if (found !== undefined) return found;
  const flag = given.template === null ? given.name : `${given.template}.${given.name}`;
  throw new ArtifactError(
    "invalid",
    `artifact ${given.name} was given by hand: give it again, --artifact ${flag}=PATH`,
  );
}

async function fetchArtifact(artifact: Artifact, loaded: string, work: InputWork): Promise<void> {
  const { context, environment, options } = work;
  const whole = completeLocation(artifact, archiveLocationFor(environment));
  const store = storesOf({
    placeFolder: options.placeArtifactsFolder,
    sharedFolder: options.sharedArtifactsFolder,
    ...(environment.template.name === undefined ? {} : { templateName: environment.template.name }),
    readSecret: (name, key) => readSecret(context, name, key),
  })(whole);
  if (store === undefined) throw new ArtifactError("invalid", "it has no location");
  await store.get(whole, loaded, context.signal);
}

/** The pod has a volume for each secret that its artifacts name. */
async function readSecret(context: BuiltinContext, name: string, key: string): Promise<string> {
  try {
    return await readFile(join(context.volumePath(name), key), "utf8");
  } catch {
    throw new ArtifactError("forbidden", `secret ${name} has no key ${key} that could be read`);
  }
}

interface Loaded {
  readonly loaded: string;
  readonly target: string;
  readonly scratch: string;
  readonly isOverride: boolean;
}

async function place(
  artifact: Artifact,
  { loaded, target, scratch, isOverride }: Loaded,
  archiver: Archiver,
): Promise<void> {
  const format = await unpackFormat(artifact, loaded, isOverride);
  if (format === undefined) return moveInto(loaded, target);
  const unpacked = join(scratch, "unpacked");
  await archiver.unpack({ source: loaded, target: unpacked, format });
  await moveInto(unpacked, target);
}

/** A folder is none, and a local file that a person gave need not be packed as the remote one would be. */
async function unpackFormat(artifact: Artifact, path: string, isOverride: boolean): Promise<"tar" | "zip" | undefined> {
  const { archive } = artifact;
  if (archive?.none !== undefined || (await lstat(path)).isDirectory()) return undefined;
  if (archive?.zip !== undefined) return !isOverride || (await isZip(path)) ? "zip" : undefined;
  if (archive?.tar !== undefined && !isOverride) return "tar";
  return (await isGzippedTar(path)) ? "tar" : undefined;
}

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1") === "PK\x03\x04";
  } finally {
    await handle.close();
  }
}

async function setMode(path: string, mode: number, extent: "one" | "all"): Promise<void> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return;
  if (info.isDirectory() && extent === "all") {
    for (const child of await readdir(path)) await setMode(join(path, child), mode, extent);
  }
  await chmod(path, mode & 0o777);
}
