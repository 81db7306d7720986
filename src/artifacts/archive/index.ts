/** Archives: packed and unpacked safely, off the main thread where they are large. */

export { type Archiver, type ArchiverOptions, openArchiver } from "./archiver.js";
export { isGzippedTar } from "./detect.js";
export type { PackFormat, PackRequest, UnpackLimits, UnpackRequest } from "./format.js";
