import { expect, test } from "vitest";
import { ApiError, isTooLarge, TransportError } from "./errors.js";

test.each([
  [new ApiError(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"), true],
  [new ApiError(500, "InternalError", "etcdserver: request is too large"), true],
  [new ApiError(500, "InternalError", "rpc error: trying to send message larger than max (2097152 vs. 2097151)"), true],
  [new ApiError(500, "InternalError", "etcdserver: leader changed"), false],
  [new ApiError(422, "Invalid", "spec.parallelism: too large a number"), false],
  [new TransportError("request is too large"), false],
])("%s: too large is %s", (error, expected) => {
  expect(isTooLarge(error)).toBe(expected);
});
