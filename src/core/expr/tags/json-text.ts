/** Argo substitutes in JSON, so its messages quote tags as they stand there. */

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** The text inside a JSON string as Go writes it; `<`, `>` and `&` are escaped too. */
export function asJsonText(text: string): string {
  return text.replace(/["\\\u0000-\u001f<>&\u2028\u2029]/g, (character) => {
    return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
