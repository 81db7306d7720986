/** JSON pointers (RFC 6901). */

/** Deeper than any sane object; keeps a patch from building what no printer can print. */
export const pointerDepthMax = 200;

/** The reference tokens of `pointer`, unescaped; undefined when it is malformed or too deep. "" is the whole document. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.slice(1).split("/");
  return tokens.length > pointerDepthMax ? undefined : tokens.map(unescapeToken);
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** `a/b` as a reference token: `a~1b`. For building the paths of label and annotation keys. */
export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** An index of a list: digits without leading zeros. */
export function parseIndex(token: string): number | undefined {
  return /^(0|[1-9][0-9]{0,8})$/.test(token) ? Number(token) : undefined;
}
