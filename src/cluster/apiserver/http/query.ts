/** Query parameters. */

import { msOfRfc3339 } from "../../../core/std/time.js";
import { badRequest } from "../registry/refusals.js";

export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}

export function text(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

/** A whole number of at least 0; undefined when absent. Throws BadRequest. */
export function count(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  if (!/^[0-9]{1,15}$/.test(value))
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
