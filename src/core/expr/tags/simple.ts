/** `{{name}}`: the value of a variable, put in as it is. */

import { err, ok, type Result } from "../../std/result.js";
import type { Scope } from "../scope.js";
import { asJsonText } from "./json-text.js";
import { mustResolve, type SubstituteError, type SubstituteMode } from "./modes.js";
import { tagName } from "./scan.js";

/** The text that replaces the tag; the tag itself where it stays for a later pass. */
export function resolveSimple(tag: string, scope: Scope, mode: SubstituteMode): Result<string, SubstituteError> {
  const name = tagName(tag);
  const value = scope.get(name);
  if (value === undefined) return resolveNested(tag, scope, mode);
  if (value === null) {
    const reason = "output is an absent optional (skipped/omitted node with no default)";
    return failure("absent", tag, `unable to substitute {{${asJsonText(tag)}}}: ${reason}`);
  }
  if (typeof value === "string") return ok(value);
  return failure("missing", tag, `failed to resolve {{${asJsonText(tag)}}} to string`);
}

/** `{{inputs.parameters.{{item}}}}`: the inner tag now, the outer one in the next pass. */
function resolveNested(tag: string, scope: Scope, mode: SubstituteMode): Result<string, SubstituteError> {
  const index = tag.lastIndexOf("{{");
  if (index > 0) {
    const inner = tag.slice(index + 2);
    const value = scope.get(inner);
    if (value === null) {
      const message = `unable to substitute nested tag {{${asJsonText(tag)}}}: "${inner}" is an absent optional`;
      return failure("absent", tag, message);
    }
    if (typeof value === "string") return ok(`{{${tag.slice(0, index)}${value}`);
  }
  const name = tagName(tag);
  const isLaterArtifact = mode === "strict-steps" && name.includes(".outputs.artifacts.");
  if (mustResolve(name, mode) && !isLaterArtifact) {
    return failure("missing", tag, `failed to resolve {{${asJsonText(tag)}}}`);
  }
  return ok(`{{${tag}}}`);
}

function failure(kind: SubstituteError["kind"], tag: string, message: string): Result<string, SubstituteError> {
  return err({ kind, tag, message });
}
