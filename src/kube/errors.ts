/** What can come back from an API call instead of an object. */

/** Reasons as in Kubernetes' metav1.Status. */
export type StatusReason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "Invalid"
  | "TooManyRequests"
  | "InternalError"
  | "ServiceUnavailable"
  | "Timeout"
  | "ServerTimeout"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "UnsupportedMediaType"
  | "RequestEntityTooLarge"
  | "Unknown";

/** The API answered, and refused. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    /** HTTP status code. */
    readonly code: number,
    readonly reason: StatusReason,
    message: string,
    /** Seconds the server asks to wait, from 429 and 503. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** No answer came: refused connection, reset, timeout. A write may have been done. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}

/** We do not hold the lease (any more), so the write was not sent. It has certainly not been done. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404;
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.reason === "Conflict";
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.reason === "AlreadyExists";
}

/** By the API server (413), or by the etcd behind it, which says so in words only. */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 413 || /request is too large|larger than max/.test(error.message);
}

/** The revision asked for is no longer kept: list again. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 410;
}
