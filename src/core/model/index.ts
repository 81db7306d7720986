/** The face of the model: reading, decoding, encoding and printing Argo's and Kubernetes' resources. */

export { decode } from "./codec/decode.js";
export { nearestName } from "./codec/suggest.js";
export {
  isKnownKind,
  type KnownByKind,
  type KnownKind,
  type KnownResource,
  type ResourcesByKind,
  schemas,
  typesByKind,
} from "./kinds.js";
export { fieldPath, itemPath } from "./path.js";
export { printJson } from "./print/json.js";
export { printYaml } from "./print/yaml.js";
export { NOWHERE } from "./problem-list.js";
export { decodeAs, decodeResource, encodeResource } from "./resource.js";
export { textLengthMax } from "./source/bounds.js";
export { locateProblems, type SourceDocument } from "./source/document.js";
export { isOfHelm } from "./source/faults.js";
export { type ReadResult, readDocuments } from "./source/read.js";
export { unsupportedFieldsOf } from "./support/check.js";
export { reachableTemplates } from "./support/reachable.js";
