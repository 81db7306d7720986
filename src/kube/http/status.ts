/** What the API says when it refuses, as an error of ours. */

import { isJsonObject, type JsonObject } from "../../core/std/json.js";
import { ApiError, type StatusReason } from "../errors.js";
import type { HttpResponse } from "./transport.js";

/** For an answer that is no Status (a proxy's page), and for reasons we have no name for. */
const reasonByCode: Readonly<Record<number, StatusReason>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

const reasons: ReadonlySet<unknown> = new Set<StatusReason>([
  ...Object.values(reasonByCode),
  "AlreadyExists",
  "Expired",
  "ServerTimeout",
]);

const messageLengthMax = 2000;

/** `text` is the answer's body. */
export function errorOfResponse(response: Pick<HttpResponse, "status" | "headers">, text: string): ApiError {
  const status = parsedObject(text);
  const retryAfter = secondsOf(response.headers["retry-after"]);
  if (status?.["kind"] === "Status") return errorOfStatus(status, response.status, retryAfter);
  const message = text.trim().slice(0, messageLengthMax);
  return new ApiError(
    response.status,
    reasonOf(undefined, response.status),
    message || `HTTP ${response.status}`,
    retryAfter,
  );
}

/** A Status, from a body or from a watch's ERROR event. */
export function errorOfStatus(status: JsonObject, httpCode?: number, retryAfterSeconds?: number): ApiError {
  const code = httpCode ?? numberOf(status["code"]) ?? 500;
  const details = status["details"];
  const retryAfter = retryAfterSeconds ?? (isJsonObject(details) ? numberOf(details["retryAfterSeconds"]) : undefined);
  const message = typeof status["message"] === "string" ? status["message"] : `HTTP ${code}`;
  return new ApiError(code, reasonOf(status["reason"], code), message, retryAfter === 0 ? undefined : retryAfter);
}

function reasonOf(reason: unknown, code: number): StatusReason {
  return isReason(reason) ? reason : (reasonByCode[code] ?? "Unknown");
}

function isReason(reason: unknown): reason is StatusReason {
  return reasons.has(reason);
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(header: string | readonly string[] | undefined): number | undefined {
  return typeof header === "string" && /^[0-9]{1,6}$/.test(header) ? Number(header) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
