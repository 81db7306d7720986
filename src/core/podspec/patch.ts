/** podSpecPatch: what workflow and template change in the finished pod (Argo 4.1 behaviour 5.3). */

import { encodeNode } from "../model/codec/encode.js";
import { decode, readDocuments } from "../model/index.js";
import type { Pod, PodSpec } from "../model/kube/pod.js";
import { podSpecSchema } from "../model/kube/pod-schema.js";
import { strategicMerge } from "../model/kube/strategic-merge.js";
import { isJsonObject, type JsonObject } from "../std/json.js";
import { err, ok, type Result } from "../std/result.js";

/** `pod` with the patches (YAML or JSON, tags replaced) applied one after the other; the error names the patch. */
export function patchPod(pod: Pod, patches: readonly (string | undefined)[]): Result<Pod, string> {
  let spec = pod.spec;
  for (const patch of patches) {
    if (patch === undefined || patch.trim() === "") continue;
    const patched = patchSpec(spec, patch);
    if (!patched.ok) return err(`invalid podSpecPatch "${patch}": ${patched.error}`);
    spec = patched.value;
  }
  return ok(spec === pod.spec ? pod : { ...pod, spec });
}

function patchSpec(spec: PodSpec, text: string): Result<PodSpec, string> {
  const patch = readPatch(text);
  if (!patch.ok) return patch;
  const before = encodeNode(podSpecSchema.node, spec);
  if (!isJsonObject(before)) return err("the pod has no spec");
  // Argo passes over fields that do not exist.
  const options = { unknownFields: "ignore", path: "spec" } as const;
  const { value, problems } = decode(podSpecSchema, strategicMerge(podSpecSchema.node, before, patch.value), options);
  const fault = problems.find(({ severity }) => severity === "error");
  return fault === undefined ? ok(value) : err(fault.message);
}

function readPatch(text: string): Result<JsonObject, string> {
  const { documents, problems } = readDocuments(text, "podSpecPatch");
  const fault = problems.find(({ severity }) => severity === "error");
  if (fault !== undefined) return err(fault.message);
  const [document, more] = documents;
  if (document === undefined || more !== undefined || !isJsonObject(document.value)) return err("expected one object");
  return ok(document.value);
}
