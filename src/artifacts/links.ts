/** Which symbolic links stay inside the folder they are part of. */

/**
 * `depth`: folders between the root and the link, all of them real. Only steps upwards at the beginning are counted on: one
 * after a name could pass through another link and end anywhere, so that is refused as well.
 */
export function linkLeaves(target: string, depth: number): boolean {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return true;
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const firstName = parts.findIndex((part) => part !== "..");
  const ups = firstName < 0 ? parts.length : firstName;
  return ups > depth || parts.slice(ups).includes("..");
}
