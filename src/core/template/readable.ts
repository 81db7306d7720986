/** A spec as it can be read: who wrote it past our checks may have written anything (lessons A-34). */

import type { WorkflowSpec } from "../model/argo/workflow.js";
import { workflowSpecSchema } from "../model/argo/workflow-schema.js";
import { decode } from "../model/index.js";
import type { Json } from "../std/json.js";

export interface ReadSpec {
  /** As written where nothing is at fault; else without the parts at fault, so that nothing need be checked again. */
  readonly spec: WorkflowSpec;
  /** What stands where something else has to, the first of it. Unknown fields are no fault. */
  readonly fault: string | undefined;
}

/** Specs are shared and frozen: each is read once. */
const known = new WeakMap<object, ReadSpec>();

export function readSpec(written: WorkflowSpec): ReadSpec {
  const before = known.get(written);
  if (before !== undefined) return before;
  const options = { format: "json", unknownFields: "ignore", path: "spec" } as const;
  const { value, problems } = decode(workflowSpecSchema, written as unknown as Json, options);
  const [first] = problems.filter(({ severity }) => severity === "error");
  const fault = first === undefined ? undefined : `${first.path ?? "spec"}: ${first.message}`;
  const read = { spec: fault === undefined && !hasNulls(written) ? written : value, fault };
  known.set(written, read);
  return read;
}

/** Null is read as nothing, in a list as an empty value. */
function hasNulls(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some(hasNulls);
}
