/** All stores of one machine: the place's own folder, the folder that stands for remote stores, raw data, HTTP. */

import type { Artifact, ArtifactDriver } from "../core/model/argo/artifact.js";
import { FolderStore } from "./folder-store.js";
import type { ReadSecret } from "./http-auth.js";
import { defaultHttpLimits, type HttpLimits, HttpStore } from "./http-store.js";
import { driverOf, keyOf, mappedPath, safeKey, uriOf } from "./locate.js";
import { isInPlace } from "./place.js";
import { ArtifactError, type ArtifactStore, type StoreOf } from "./port.js";
import { rawStore } from "./raw-store.js";

export interface StoresOptions {
  /** The place's folder for what its own runs put out. */
  readonly placeFolder: string;
  /** Stands for every remote store: `<driver>/<bucket>/<key>` below it; shared by all places. */
  readonly sharedFolder: string;
  /** Credentials of `http`; left out where none can be had. */
  readonly readSecret?: ReadSecret;
  readonly http?: HttpLimits;
  /** Of the step that asks, for the flag that a message proposes. */
  readonly templateName?: string;
}

/** The folders among the stores, where an artifact's file can be read without a copy. */
export interface FolderStores {
  readonly place: FolderStore;
  readonly shared: FolderStore;
}

export function folderStoresOf({ placeFolder, sharedFolder, templateName }: StoresOptions): FolderStores {
  return {
    place: new FolderStore({
      folder: placeFolder,
      pathOf: (artifact) => safeKey(keyOf(artifact) ?? ""),
      missing: (artifact, path) =>
        `this place has no artifact ${keyOf(artifact) ?? ""} (${path})${hint(artifact, templateName)}`,
    }),
    shared: new FolderStore({
      folder: sharedFolder,
      pathOf: mappedPath,
      missing: (artifact, path) =>
        `${uriOf(artifact)} is not here, remote stores are off: it would lie at ${path}${hint(artifact, templateName)}`,
    }),
  };
}

function hint({ name }: Artifact, templateName: string | undefined): string {
  const flag = templateName === undefined ? name : `${templateName}.${name}`;
  return `; --artifact ${flag}=PATH puts a file or folder in its place`;
}

/** Which of the two folders an artifact lies in; undefined for other drivers. */
export function folderOf(stores: FolderStores, artifact: Artifact): FolderStore | undefined {
  switch (driverOf(artifact)) {
    case "s3":
    case "gcs":
    case "oss":
    case "azure":
    case "hdfs":
    case "artifactory":
      return isInPlace(artifact) ? stores.place : stores.shared;
    default:
      return undefined;
  }
}

/** Remote stores are never read or written: their artifacts are files of this machine. */
export function storesOf(options: StoresOptions): StoreOf {
  const folders = folderStoresOf(options);
  const http = new HttpStore(options.readSecret ?? noSecrets, options.http ?? defaultHttpLimits);
  return (artifact) => {
    const driver = driverOf(artifact);
    switch (driver) {
      case undefined:
        return undefined;
      case "raw":
        return rawStore;
      case "http":
        return http;
      case "git":
      case "plugin":
        return unsupportedStore(driver, options.templateName);
      default:
        return folderOf(folders, artifact);
    }
  };
}

const noSecrets: ReadSecret = (name, key) =>
  Promise.reject(new ArtifactError("forbidden", `secret ${name}, key ${key}, cannot be read here`));

function unsupportedStore(driver: ArtifactDriver, templateName: string | undefined): ArtifactStore {
  const refuse = (artifact: Artifact): Promise<never> =>
    Promise.reject(
      new ArtifactError(
        "unsupported",
        `${driver} artifacts do not work on one machine yet${hint(artifact, templateName)}`,
      ),
    );
  return { put: refuse, get: refuse };
}
