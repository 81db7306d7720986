/** Artifact stores: the port, this machine's drivers, where an artifact lies, and archives. */

export { type Archiver, isGzippedTar, openArchiver, type PackFormat } from "./archive/index.js";
export { copyTree } from "./copy-tree.js";
export { type GivenName, givenNameOf, withGivenArtifacts } from "./given.js";
export { makeScratch, sweepIncoming } from "./incoming.js";
export { completeLocation, driverOf, keyOf, keyOnly } from "./locate.js";
export { placeLocation } from "./place.js";
export { ArtifactError, type StoreOf } from "./port.js";
export { artifactReader } from "./reader.js";
export { storesOf } from "./stores.js";
