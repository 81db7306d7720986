/** The face of the model: reading, decoding, encoding and printing Argo's and Kubernetes' resources. */

export { type Decoded, type DecodeOptions, decode } from "./codec/decode.js";
export { editDistance, nearestName } from "./codec/suggest.js";
export {
  isKnownKind,
  type KnownByKind,
  type KnownKind,
  type KnownResource,
  knownKinds,
  type ResourcesByKind,
  schemas,
  typesByKind,
} from "./kinds.js";
export { withPodDefaults } from "./kube/defaults.js";
export { fieldPath, itemPath, joinPath, type PathSegment, parsePath } from "./path.js";
export { printJson } from "./print/json.js";
export { printYaml } from "./print/yaml.js";
export {
  type DecodedResource,
  decodeAs,
  decodeResource,
  encodeResource,
  type ResourceInput,
} from "./resource.js";
export { textLengthMax } from "./source/bounds.js";
export { locateProblems, type SourceDocument } from "./source/document.js";
export { type ReadResult, readDocuments } from "./source/read.js";
export { type SupportScope, unsupportedFieldsOf } from "./support/check.js";
export { type SupportRow, supportOf, supportRowsOf } from "./support/lookup.js";
export { reachableTemplates } from "./support/reachable.js";
export type { RuntimeName, Support, SupportLevel } from "./support/row.js";
