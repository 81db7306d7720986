/** Request bodies: read up to a limit, and parsed. */

import type { IncomingMessage } from "node:http";
import { messageOf } from "../../../core/std/message.js";
import { ApiError } from "../../../kube/errors.js";
import { badRequest } from "../registry/refusals.js";

/** The body as JSON; undefined when there is none. Rejects with RequestEntityTooLarge and BadRequest. */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const text = await readText(request, bytesMax);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`the body of the request is not JSON: ${messageOf(error)}`);
  }
}

async function readText(request: IncomingMessage, bytesMax: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${bytesMax}`);
}

/** The media type without its parameters, in lower case; empty when none is given. */
export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function unsupportedMediaType(given: string, supported: readonly string[]): ApiError {
  const list = supported.join(", ");
  const message = `the body of the request was in an unknown format (${given}) - accepted media types include: ${list}`;
  return new ApiError(415, "UnsupportedMediaType", message);
}
