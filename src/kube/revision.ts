/** Order of resource versions. Within one resource type they are whole numbers, of any length. */

/**
 * Negative, zero or positive. Undefined when one of the two is not a number: then nothing may be concluded. Numbers of
 * 64 bits do not fit JavaScript's, so the digits are compared.
 */
export function compareRevisions(a: string, b: string): number | undefined {
  if (!isRevision(a) || !isRevision(b)) return undefined;
  const [left, right] = [stripZeros(a), stripZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** False also where nothing may be concluded. */
export function isOlder(a: string, b: string): boolean {
  const order = compareRevisions(a, b);
  return order !== undefined && order < 0;
}

function isRevision(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, "");
}
