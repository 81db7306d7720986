/** What an API server or a network answers when it does not do what it was asked. */

import { ApiError, type StatusReason, TransportError } from "../../../src/kube/errors.js";

type RefusalCode = 403 | 409 | 413 | 429 | 500 | 503;

const reasons: Readonly<Record<RefusalCode, StatusReason>> = {
  403: "Forbidden",
  409: "Conflict",
  413: "RequestEntityTooLarge",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

const words: Readonly<Partial<Record<RefusalCode, string>>> = {
  // A quota is the refusal of a create that passes with time (Argo 4.1 behaviour 3.32).
  403: "exceeded quota (simulated)",
  413: "Request entity too large: limit is 3000 (simulated)",
};

export function refusal(code: RefusalCode, what: string): ApiError {
  return new ApiError(code, reasons[code], `${what}: ${words[code] ?? "simulated"}`, code === 429 ? 1 : undefined);
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
