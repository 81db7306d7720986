/** The face of validation: everything that is wrong with a resource, before anything of it runs (Argo 4.1 behaviour 10). */

export { firstArgoError, invalidSpecOf, invalidSpecOrNeed } from "./argo-error.js";
export {
  validateClusterWorkflowTemplate,
  validateCronWorkflow,
  validateResource,
  validateWorkflow,
  validateWorkflowTemplate,
} from "./kinds.js";
export type { ValidateMode, ValidateOptions, Validation } from "./options.js";
export type { TimeZones } from "./time-zone.js";
