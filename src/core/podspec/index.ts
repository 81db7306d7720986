/** Template -> Pod, by layouts made of small parts. */

export { buildPod } from "./build.js";
export type { PodLayout } from "./layouts/layout.js";
export * as localProtocol from "./layouts/local/protocol.js";
export { type ArchiveChoice, archiveLocationOf } from "./location.js";
export type { ImageCommand, LayoutName, PodConfig, PodRequest, WorkflowIdentity } from "./request.js";
