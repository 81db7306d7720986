/** Templates as they are run: found, merged with defaults, bound to arguments, and folded up into outputs. */

export { aggregateOutputs } from "./aggregate.js";
export { bindArguments, substituteTemplate } from "./arguments.js";
export { namedRepository, usualRepository } from "./artifact-repository.js";
export { executedSpec, withTemplateDefaults } from "./executed-spec.js";
export { expandLoop, isLoop } from "./expand.js";
export { evaluateConditionIn, evaluateIn } from "./expression.js";
export { addGlobalOutputs, type GlobalVariables, globalVariables } from "./globals.js";
export { isPodKind, kindOf } from "./kind.js";
export type { Lookup } from "./lookup.js";
export { templateOfNode } from "./of-node.js";
export { compositeOutputs } from "./outputs.js";
export { readSpec } from "./readable.js";
export { resolveArgumentArtifacts, resolveReferences } from "./references.js";
export { type ResolvedTemplate, resolveTemplate } from "./resolve.js";
export { extendScope, LocalScope, type Variables } from "./scope.js";
export { type TemplateSource, workflowSource } from "./source.js";
export {
  lackingOutputs,
  noStubOutputs,
  readStubOutputs,
  type StubOutputs,
  stubFiles,
  stubTemplate,
} from "./stub.js";
