/** The face of Argo's expression languages: tags, `{{=…}}` expressions, `when` and `depends`. */

export { dependsOf, evaluateDepends, parseDepends, type TaskResult } from "./depends.js";
export { type ExprEnv, envOf } from "./env.js";
export { evaluate, evaluateBoolean } from "./evaluate.js";
export { envSeenBy, identifiersOf } from "./identifiers.js";
export type { ExprContext, Scope, ScopeValue } from "./scope.js";
export type { SubstituteError, SubstituteMode } from "./tags/modes.js";
export { tagsOf } from "./tags/scan.js";
export { substitute, substituteText } from "./tags/substitute.js";
export { printValue } from "./values/print.js";
export { type ExprValue, jsonOfValue, valueOfJson } from "./values/value.js";
export { evaluateWhen } from "./when/index.js";
