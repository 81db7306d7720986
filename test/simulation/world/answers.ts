/** What an API server or a network answers when it does not do what it was asked. */

import { ApiError, type StatusReason, TransportError } from "../../../src/kube/errors.js";

const reasons: Readonly<Record<403 | 409 | 429 | 500 | 503, StatusReason>> = {
  403: "Forbidden",
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

export function refusal(code: 403 | 409 | 429 | 500 | 503, what: string): ApiError {
  // A quota is the refusal of a create that passes with time (Argo 4.1 behaviour 3.32).
  const message = code === 403 ? `${what}: exceeded quota (simulated)` : `${what}: simulated`;
  return new ApiError(code, reasons[code], message, code === 429 ? 1 : undefined);
}

export function denial(what: string): ApiError {
  return new ApiError(403, "Forbidden", `admission webhook "policy.example" denied the request: ${what} (simulated)`);
}

export function timedOut(): TransportError {
  return new TransportError("no answer (simulated)");
}

export function expired(): ApiError {
  return new ApiError(410, "Expired", "too old resource version (simulated)");
}
