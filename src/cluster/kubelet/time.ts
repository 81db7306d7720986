/** Times as the Kubernetes API prints them. */

const MAX_KEPT = 1024;
const kept = new Map<number, string>();

/** RFC 3339 in UTC, whole seconds, from milliseconds since the epoch. */
export function kubeTime(milliseconds: number): string {
  // Many pods ask for the same few seconds, again and again.
  const second = Math.floor(milliseconds / 1000);
  const known = kept.get(second);
  if (known !== undefined) return known;
  const text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(second, text);
  return text;
}
