/** Query parameters. */

import { msOfRfc3339 } from "../../../core/std/time.js";
import { badRequest } from "../registry/refusals.js";

/** As Kubernetes reads it: also a name alone is a yes. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

export function text(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

/** A whole number of at least 0; undefined when absent. Throws BadRequest. */
export function count(query: URLSearchParams, name: string): number | undefined {
  const value = integer(query, name);
  if (value !== undefined && value < 0) throw badRequest(`${name}: Invalid value: ${value}: must be at least 0`);
  return value;
}

/** A whole number, below 0 too, for who has more to say of it; undefined when absent. Throws BadRequest. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  if (!/^[+-]?[0-9]{1,15}$/.test(value))
    throw badRequest(`${name}: Invalid value: ${JSON.stringify(value)}: must be a number`);
  return Number(value);
}

/** An RFC 3339 time, in milliseconds since the epoch; undefined when absent. Throws BadRequest. */
export function time(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  const at = msOfRfc3339(value);
  if (at === undefined) throw badRequest(`${name}: Invalid value: ${JSON.stringify(value)}: must be an RFC 3339 time`);
  return at;
}
