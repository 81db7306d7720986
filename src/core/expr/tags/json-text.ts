/** Argo substitutes in JSON, so its messages quote tags as they stand there. */

import { escapeJson } from "../../std/go-json.js";

/** The text inside a JSON string as Go writes it; `<`, `>` and `&` are escaped too. */
export function asJsonText(text: string): string {
  return text.replace(/["\\\u0000-\u001f<>&\u2028\u2029]/g, escapeJson);
}
