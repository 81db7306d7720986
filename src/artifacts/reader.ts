/** Reads an output artifact as it lies in its store: for `cp`, and for whoever shows it. */

import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Artifact, ArtifactDriver, ArtifactLocation, ArtifactRepository } from "../core/model/argo/artifact.js";
import type { NodeStatus } from "../core/model/argo/node.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import type { Archiver } from "./archive/index.js";
import { completeLocation, driverOf, keyOf } from "./locate.js";
import { isInPlace, placeRepository } from "./place.js";
import { ArtifactError, type StoreOf } from "./port.js";
import { type FolderStores, folderOf, folderStoresOf, type StoresOptions, storesOf } from "./stores.js";

export interface OpenedArtifact {
  /** Last part of its key; a folder, which comes as a tar, with `.tgz` behind it. */
  readonly fileName: string;
  /** `fs` for one in the place's own folder. */
  readonly driver: ArtifactDriver | "fs";
  /** To be read once; what was made for it is removed when reading ends or is given up. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ArtifactReader {
  /**
   * `defaults`: the rest of the location where the artifact names a key alone (the workflow's or template's archive
   * location, or its repository); left out: the place. Rejects with {@link ArtifactError}, code `not-found` among others.
   */
  open(artifact: Artifact, defaults?: ArtifactLocation): Promise<OpenedArtifact>;
  /** An output of a node by its name, completed from where that node's template keeps its artifacts. Rejects likewise. */
  openOutput(workflow: Workflow, nodeId: string, name: string): Promise<OpenedArtifact>;
}

export interface ReaderOptions extends StoresOptions {
  /** The configuration's repository, where the workflow's status names none; left out: the place. */
  readonly repository?: ArtifactRepository;
}

export function artifactReader(options: ReaderOptions, archiver: Archiver): ArtifactReader {
  const reading: Reading = { stores: storesOf(options), folders: folderStoresOf(options), archiver };
  const repository = options.repository ?? placeRepository;
  return {
    open: (artifact, defaults = repository) => openWhole(completeLocation(artifact, defaults), reading),
    openOutput: async (workflow, nodeId, name) => {
      const node = workflow.status?.nodes?.[nodeId];
      const artifact = node?.outputs?.artifacts?.find((one) => one.name === name);
      if (node === undefined || artifact === undefined) {
        throw new ArtifactError("not-found", `node ${nodeId} has no output artifact ${name}`);
      }
      return openWhole(completeLocation(artifact, keptAt(workflow, node) ?? repository), reading);
    },
  };
}

/** The archive location of the node's template, else the workflow's repository. */
function keptAt({ spec, status }: Workflow, { templateName, templateScope }: NodeStatus): ArtifactLocation | undefined {
  const from = status?.storedWorkflowTemplateSpec ?? spec;
  const stored = status?.storedTemplates?.[`${templateScope ?? ""}/${templateName ?? ""}`];
  const template = stored ?? from.templates?.find((one) => one.name === templateName);
  const location = template?.archiveLocation ?? from.templateDefaults?.archiveLocation;
  const hasOwn = location !== undefined && driverOf(location) !== undefined;
  return hasOwn ? location : status?.artifactRepositoryRef?.artifactRepository;
}

interface Reading {
  readonly stores: StoreOf;
  readonly folders: FolderStores;
  readonly archiver: Archiver;
}

async function openWhole(artifact: Artifact, reading: Reading): Promise<OpenedArtifact> {
  const driver = isInPlace(artifact) ? "fs" : driverOf(artifact);
  if (driver === undefined) throw new ArtifactError("not-found", `artifact ${artifact.name} has no location`);
  const { folders, archiver } = reading;
  const fileName = basename(keyOf(artifact) ?? artifact.name) || artifact.name;
  const folder = folderOf(folders, artifact);
  if (folder === undefined) return { driver, fileName, bytes: await fetched(artifact, reading) };
  const path = await folder.find(artifact);
  if (!(await stat(path)).isDirectory()) return { driver, fileName, bytes: contentOf(path) };
  return { driver, fileName: `${fileName}.tgz`, bytes: await packed({ path, fileName, folders, archiver }) };
}

async function fetched(artifact: Artifact, { stores, folders }: Reading): Promise<AsyncIterable<Uint8Array>> {
  const scratch = await folders.place.scratch();
  const target = join(scratch, "content");
  try {
    await stores(artifact)?.get(artifact, target);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  return readOnce(target, scratch);
}

interface Packing {
  readonly path: string;
  readonly fileName: string;
  readonly folders: FolderStores;
  readonly archiver: Archiver;
}

async function packed({ path, fileName, folders, archiver }: Packing): Promise<AsyncIterable<Uint8Array>> {
  const scratch = await folders.place.scratch();
  const target = join(scratch, "content");
  try {
    await archiver.pack({ source: path, name: fileName, target, format: { kind: "tar", level: -1 } });
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  return readOnce(target, scratch);
}

/** Opened when it is read, so that nothing is open for one who does not. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Removes `scratch` when reading ends, or is given up: also before it has begun, where a generator would do nothing. */
function readOnce(path: string, scratch: string): AsyncIterable<Uint8Array> {
  const content = contentOf(path);
  const remove = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  const ended = async (step: Promise<IteratorResult<Uint8Array>>): Promise<IteratorResult<Uint8Array>> => {
    let isOver = true;
    try {
      const result = await step;
      isOver = result.done === true;
      return result;
    } finally {
      if (isOver) await remove();
    }
  };
  const iterator = { next: () => ended(content.next()), return: () => ended(content.return(undefined)) };
  return { [Symbol.asyncIterator]: () => iterator };
}
