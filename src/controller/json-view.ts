/** Typed resources seen as the JSON they are: the one place where the controller says so to the compiler. */

import type { Json } from "../core/std/json.js";

/** Resources are plain JSON by construction (they came through the codec or the API); interfaces cannot say it. */
export function jsonView(value: unknown): Json | undefined {
  return value as Json | undefined;
}
