/** Template -> Pod, by layouts made of small parts. */

export { buildPod } from "./build.js";
export * as localProtocol from "./layouts/local/protocol.js";
export { archiveLocationOf } from "./location.js";
export type { ImageCommand, PodConfig, PodRequest } from "./request.js";
