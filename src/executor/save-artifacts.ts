/** Packs output artifacts and puts them in their stores (Argo 4.1 behaviour 6.8, 6.9). */

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  ArtifactError,
  completeLocation,
  driverOf,
  keyOf,
  keyOnly,
  makeScratch,
  type PackFormat,
  type StoreOf,
  storesOf,
} from "../artifacts/index.js";
import type { BuiltinContext } from "../cluster/kubelet/builtin.js";
import type { Artifact } from "../core/model/argo/artifact.js";
import { messageOf } from "../core/std/message.js";
import { checkedPath } from "./destination.js";
import { archiveLocationFor, keyInArchive } from "./locations.js";
import { isMounted } from "./mounted.js";
import type { OutputWork } from "./outputs.js";
import { type ArtifactStep, baseName, logArtifact, mainContainerName, planOutputs } from "./plan.js";

/** As they are reported: those that were saved, each with its location. Failures join into one error, as Argo's do. */
export async function saveArtifacts(work: OutputWork, errors: string[]): Promise<readonly Artifact[]> {
  const { options, environment } = work;
  const stores = storesOf({
    placeFolder: options.placeArtifactsFolder,
    sharedFolder: options.sharedArtifactsFolder,
  });
  const saved: Artifact[] = [];
  const failures: string[] = [];
  for (const step of planOutputs(environment.template).artifacts) {
    try {
      const artifact = await saveArtifact(step, work, stores);
      if (artifact !== undefined) saved.push(artifact);
    } catch (error) {
      failures.push(`${messageOf(error)}; `);
    }
  }
  if (failures.length > 0) errors.push(failures.join(""));
  const log = await saveLog(work, stores).catch((error: unknown) => {
    errors.push(messageOf(error));
    return undefined;
  });
  return log === undefined ? saved : [...saved, log];
}

/** Undefined for an optional one that main did not leave. */
async function saveArtifact(step: ArtifactStep, work: OutputWork, stores: StoreOf): Promise<Artifact | undefined> {
  const { artifact } = step;
  const { context, options, archiver } = work;
  const path = checkedPath(artifact);
  const exported = await context.exportPath(mainContainerName, path);
  if (exported === undefined) {
    context.log(`output artifact ${artifact.name}: main left nothing at ${path}`);
    if (artifact.optional === true) return undefined;
    throw new ArtifactError("not-found", missingText(step, work));
  }
  try {
    const located = locate(step, work);
    const format = packFormat(artifact);
    if (format === undefined) {
      await put(located.whole, stores, exported.hostPath, "copy");
      return located.reported;
    }
    const scratch = await makeScratch(options.placeArtifactsFolder);
    try {
      const target = join(scratch, step.fileName);
      await archiver.pack({ source: exported.hostPath, name: baseName(path) || "root", target, format });
      await put(located.whole, stores, target, "move");
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    return located.reported;
  } finally {
    await exported.dispose();
  }
}

function packFormat({ archive }: Artifact): PackFormat | undefined {
  if (archive?.none !== undefined) return undefined;
  if (archive?.zip !== undefined) return { kind: "zip" };
  return { kind: "tar", level: archive?.tar?.compressionLevel ?? -1 };
}

/** The words of Argo's executor, with the path where it would have looked. */
function missingText({ path }: ArtifactStep, { context }: OutputWork): string {
  if (isMounted(path, context)) return `stat /mainctrfs${path}: no such file or directory`;
  return `open /var/run/argo/outputs/artifacts${path}.tgz: no such file or directory`;
}

interface Located {
  /** With all that its store needs. */
  readonly whole: Artifact;
  /** As a node's outputs show it: of a default location only the key. */
  readonly reported: Artifact;
}

function locate({ artifact, path, fileName }: ArtifactStep, { environment }: OutputWork): Located {
  const location = archiveLocationFor(environment);
  const named = hasOwnKey(artifact)
    ? artifact
    : { ...artifact, ...keyOnly(location, keyInArchive(location, fileName)) };
  const reported = { ...named, path };
  return { whole: completeLocation(reported, location), reported };
}

/** Of a location that says where in its store the artifact lies, or needs no key. */
function hasOwnKey(artifact: Artifact): boolean {
  const driver = driverOf(artifact);
  return driver === "raw" || driver === "git" || driver === "http" || (keyOf(artifact) ?? "") !== "";
}

async function put(artifact: Artifact, stores: StoreOf, path: string, mode: "copy" | "move"): Promise<void> {
  const store = stores(artifact);
  if (store === undefined) throw new ArtifactError("invalid", `artifact ${artifact.name} has no location`);
  await store.put(artifact, path, mode);
}

/** What main wrote to both its streams; nothing where logs are not kept, or main never ran. */
async function saveLog(work: OutputWork, stores: StoreOf): Promise<Artifact | undefined> {
  const { context, environment, options } = work;
  if (environment.template.archiveLocation?.archiveLogs !== true) return undefined;
  const location = archiveLocationFor(environment);
  const key = keyInArchive(location, `${mainContainerName}.log`);
  const reported = logArtifact(keyOnly(location, key));
  const scratch = await makeScratch(options.placeArtifactsFolder);
  try {
    const file = join(scratch, `${mainContainerName}.log`);
    const hasLog = await writeLog(context, file);
    if (!hasLog) return undefined;
    await put(completeLocation(reported, location), stores, file, "move");
    return reported;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function writeLog(context: BuiltinContext, file: string): Promise<boolean> {
  const output = Readable.from(context.output(mainContainerName));
  try {
    await pipeline(output, createWriteStream(file));
    return true;
  } catch (error) {
    context.log(`the log of ${mainContainerName} is not kept: ${messageOf(error)}`);
    return false;
  }
}
