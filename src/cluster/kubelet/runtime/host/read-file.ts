/** The beginning or the end of a regular file as a container saw it. */

import { type ReadPart, readRegular } from "./read-regular.js";
import { findInView } from "./read-view.js";
import type { View } from "./view.js";

/** Undefined when there is none, or it is not a regular file (a pipe would never end). */
export async function readFileInView(view: View, path: string, wanted: ReadPart): Promise<Buffer | undefined> {
  const found = findInView(view, path);
  if (found === undefined || !found.info.isFile()) return undefined;
  return readRegular(found.hostPath, wanted);
}
