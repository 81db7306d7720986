/** Where the next page of a list begins, as text that means nothing to the client. */

import { isJsonObject } from "../../../core/std/json.js";
import { badRequest } from "./refusals.js";

export interface ContinueToken {
  readonly revision: number;
  /** The last path of the page before. */
  readonly path: string;
}

export function tokenOf({ revision, path }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: revision, start: path }), "utf8").toString("base64url");
}

/** Throws BadRequest for what {@link tokenOf} did not make. */
export function readToken(text: string): ContinueToken {
  const value = parsed(Buffer.from(text, "base64url").toString("utf8"));
  if (
    isJsonObject(value) &&
    value["v"] === 1 &&
    Number.isSafeInteger(value["rv"]) &&
    typeof value["start"] === "string"
  ) {
    return { revision: Number(value["rv"]), path: value["start"] };
  }
  throw badRequest("continue key is not valid");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
