/** Label and field selectors, for whoever lists, watches or serves objects. */

export { type FieldRequirement, fieldValueOf, matchesFields, parseFieldSelector } from "./selectors/fields.js";
export { labelRequirementsOf, matchesLabels } from "./selectors/labels.js";
export { parseLabelSelector } from "./selectors/parse-labels.js";
export { labelKeyFault, labelsFault, labelValueFault } from "./selectors/syntax.js";
