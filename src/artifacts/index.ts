/** Artifact stores: the port, this machine's drivers, where an artifact lies, and archives. */

export { type Archiver, type ArchiverOptions, isGzippedTar, openArchiver, type PackFormat } from "./archive/index.js";
export { copyTree } from "./copy-tree.js";
export { makeScratch } from "./folder-store.js";
export type { ReadSecret } from "./http-auth.js";
export { completeLocation, driverOf, keyOf, keyOnly, uriOf } from "./locate.js";
export { placeLocation, placeRepository } from "./place.js";
export { ArtifactError, type ArtifactErrorCode, type ArtifactStore, type PutMode, type StoreOf } from "./port.js";
export { type ArtifactReader, artifactReader, type OpenedArtifact } from "./reader.js";
export { type StoresOptions, storesOf } from "./stores.js";
