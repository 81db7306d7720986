/** Paths of values as people write them: `spec.templates[0].steps[1][0].when`, `metadata.labels["a/b"]`. */

export type PathSegment = string | number;

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** The path of field `key` below `path`. */
export function fieldPath(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The path of item `index` below `path`. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

export function joinPath(segments: readonly PathSegment[]): string {
  let path = "";
  for (const segment of segments) {
    path = typeof segment === "number" ? itemPath(path, segment) : fieldPath(path, segment);
  }
  return path;
}

const SEGMENT = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/y;

/** The segments of a path; what does not read as a path ends it. */
export function parsePath(path: string): PathSegment[] {
  const segments: PathSegment[] = [];
  let at = 0;
  while (at < path.length) {
    if (path[at] === ".") at += 1;
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(path);
    if (match === null) return segments;
    segments.push(segmentOf(match));
    at = SEGMENT.lastIndex;
  }
  return segments;
}

function segmentOf(match: RegExpExecArray): PathSegment {
  if (match[1] !== undefined) return Number(match[1]);
  return match[2] === undefined ? (match[3] ?? "") : unquote(match[2]);
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
