/** What the API says when it refuses, in the words of Kubernetes. */

import type { ResourceType } from "../../../core/model/resources.js";
import { ApiError } from "../../../kube/errors.js";
import { typeName } from "../../../kube/key.js";

type Named = Pick<ResourceType, "group" | "plural" | "kind">;

export function notFound(type: Named, name: string): ApiError {
  return new ApiError(404, "NotFound", `${typeName(type)} "${name}" not found`);
}

export function noSuchType(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource");
}

export function alreadyExists(type: Named, name: string): ApiError {
  return new ApiError(409, "AlreadyExists", `${typeName(type)} "${name}" already exists`);
}

/** The revision that the write was made from is not the newest. */
export function modified(type: Named, name: string): ApiError {
  return conflict(
    type,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** A precondition names another object or revision; `found` is empty where there is no object. */
export function preconditionFailed(
  target: { readonly type: Named; readonly name: string },
  precondition: "UID" | "ResourceVersion",
  values: { readonly wanted: string; readonly found: string },
): ApiError {
  const text = `${precondition} in precondition: ${values.wanted}, ${precondition} in object meta: ${values.found}`;
  return conflict(target.type, target.name, `Precondition failed: ${text}`);
}

export function conflict(type: Named, name: string, why: string): ApiError {
  return new ApiError(409, "Conflict", `Operation cannot be fulfilled on ${typeName(type)} "${name}": ${why}`);
}

/** `faults` are `path: what is wrong`, one each. */
export function invalid(type: Named, name: string, faults: readonly string[]): ApiError {
  const kind = type.group === "" ? type.kind : `${type.kind}.${type.group}`;
  const list = faults.length === 1 ? faults[0] : `[${faults.join(", ")}]`;
  return new ApiError(422, "Invalid", `${kind} "${name}" is invalid: ${list}`);
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

export function forbidden(type: Named, name: string, why: string): ApiError {
  return new ApiError(403, "Forbidden", `${typeName(type)} "${name}" is forbidden: ${why}`);
}

/** The revision is too old: list again. */
export function expired(message: string): ApiError {
  return new ApiError(410, "Expired", message);
}

export function tooOld(wanted: number, floor: number): ApiError {
  return expired(`too old resource version: ${wanted} (${floor})`);
}
