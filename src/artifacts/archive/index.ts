/** Archives: packed and unpacked safely, off the main thread where they are large. */

export { type Archiver, openArchiver } from "./archiver.js";
export { isGzippedTar } from "./detect.js";
export type { PackFormat } from "./format.js";
