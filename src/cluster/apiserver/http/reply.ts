/** Answers: objects, lists, and Kubernetes' Status. */

import type { ServerResponse } from "node:http";
import { ApiError, TransportError } from "../../../kube/errors.js";

export function sendJson(response: ServerResponse, code: number, body: unknown): void {
  const text = Buffer.from(`${JSON.stringify(body)}\n`, "utf8");
  response.writeHead(code, { "Content-Type": "application/json", "Content-Length": text.length });
  response.end(text);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(text);
}

/** Answers with what went wrong; where the answer has begun already, it is cut off. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code, retryAfterSeconds } = asApiError(error);
  if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
  // The rest of a body that was refused must not be read as the next request.
  if (!response.req.complete) response.setHeader("Connection", "close");
  sendJson(response, code, statusOf(error));
}

/** metav1.Status of a failure. */
export function statusOf(error: unknown): object {
  const { code, reason, message, retryAfterSeconds } = asApiError(error);
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, ...details, code };
}

/** What is no refusal of ours is told without its insides. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TransportError) return new ApiError(503, "ServiceUnavailable", error.message, 1);
  return new ApiError(500, "InternalError", "the server met a defect of its own");
}

export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError || error instanceof TransportError;
}
