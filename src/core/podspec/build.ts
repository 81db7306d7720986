/** Template -> Pod: what can be wrong is found first, then the layout's parts are folded over an empty pod. */

import type { Template } from "../model/argo/template.js";
import type { Pod } from "../model/kube/pod.js";
import { err, ok, type Result } from "../std/result.js";
import type { PodContext } from "./context.js";
import { layouts } from "./layouts/index.js";
import { mainsOf, withCommands } from "./mains.js";
import { checkMounts } from "./parts/volumes.js";
import { patchPod } from "./patch.js";
import type { PodRequest } from "./request.js";

const EMPTY: Pod = { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [] } };

/** The pod to create for one attempt of a node; the error becomes the node's message (phase Error). */
export function buildPod(request: PodRequest): Result<Pod, string> {
  const layout = layouts[request.config.layout];
  const refusal = layout.refusal(request.template) ?? unresolvedLocation(request);
  if (refusal !== undefined) return err(refusal);
  const context = contextOf(request);
  if (!context.ok) return context;
  const pod = layout.parts.reduce((whole, part) => part(whole, context.value), EMPTY);
  return patchPod(pod, [request.workflowPatch ?? request.spec.podSpecPatch, request.template.podSpecPatch]);
}

function contextOf(request: PodRequest): Result<PodContext> {
  const { template, config } = request;
  const mains = mainsOf(template);
  if (!mains.ok) return mains;
  const commanded = withCommands(mains.value, config);
  if (!commanded.ok) return commanded;
  const sidecars = withCommands(template.sidecars ?? [], config);
  if (!sidecars.ok) return sidecars;
  const initContainers = withCommands(template.initContainers ?? [], config);
  if (!initContainers.ok) return initContainers;
  const deadline = activeDeadline(request);
  if (!deadline.ok) return deadline;
  return checkMounts({
    request,
    mains: commanded.value,
    sidecars: sidecars.value,
    initContainers: initContainers.value,
    activeDeadlineSeconds: deadline.value,
  });
}

/** The template's own, or what is left of the workflow's and the `timeout`'s, whichever is less (Argo 4.1 3.13). */
function activeDeadline({ template, secondsLeft }: PodRequest): Result<number | undefined> {
  if (isPausedForDebugging(template)) return ok(undefined);
  const own = template.activeDeadlineSeconds;
  if (own === undefined) return ok(secondsLeft);
  const seconds = Number(own);
  if (!Number.isInteger(seconds)) return err(`activeDeadlineSeconds is not a whole number: ${own}`);
  return ok(secondsLeft === undefined ? seconds : Math.min(seconds, secondsLeft));
}

/** A container that someone looks into by hand is not ended meanwhile. */
function isPausedForDebugging({ container, script }: Template): boolean {
  const env = [...(container?.env ?? []), ...(script?.env ?? [])];
  return env.some(({ name, value }) => name.startsWith("ARGO_DEBUG_PAUSE_") && value === "true");
}

function unresolvedLocation({ archiveLocation }: PodRequest): string | undefined {
  const tag = /\{\{[^}]*\}\}/.exec(JSON.stringify(archiveLocation ?? {}));
  return tag === null ? undefined : `archiveLocation has an unresolved tag: ${tag[0]}`;
}
