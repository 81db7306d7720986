/** Of several that are asked for, those whose place does not answer are told, and keep none of the others from being shown. */

import type { Context } from "./context.js";
import { isSilent } from "./places/places.js";
import { reportError } from "./report-error.js";

/** Undefined where the owner of its place gave no answer, which is told at once. */
export async function toldIfSilent<T>(context: Context, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!isSilent(error)) throw error;
    reportError(error, context);
    return undefined;
  }
}
