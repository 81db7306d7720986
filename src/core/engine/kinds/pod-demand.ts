/** The pod that a Pending node wants, unless it is there or on its way. */

import { substitute } from "../../expr/index.js";
import type { ArtifactLocation } from "../../model/argo/artifact.js";
import type { NodeStatus } from "../../model/argo/node.js";
import { retryGenerationOf } from "../../podlife/index.js";
import { archiveLocationOf, buildPod, type PodRequest } from "../../podspec/index.js";
import { err, type Result } from "../../std/result.js";
import { rfc3339OfMs } from "../../std/time.js";
import { extendScope } from "../../template/index.js";
import { podDeadline, secondsLeft } from "../deadlines.js";
import { updateNode } from "../nodes/change.js";
import { boundaryTemplateOf } from "../parallelism.js";
import { type At, addDemand, type Executed, exprContext, isSuspended, podNameFor } from "../pass.js";
import { failWith } from "./kind.js";
import { readsResult } from "./result-readers.js";
import { excludedHosts, executionDeadline } from "./retry-limits.js";

/** Adds the demand; an Error where no pod can be made of the template. */
export function demandPod(at: At, node: NodeStatus): Executed {
  if (node.phase !== "Pending") return { node };
  const create = at.pass.observations.podCreates.get(node.id);
  if (create?.kind === "refused") return failWith(create.message, node);
  if (!isWanted(at, node)) return { node };
  if (create?.kind === "refused-for-now") {
    const waiting = saying(at, node, create.message);
    if (mustWait(at, create.retryAt)) return { node: waiting };
  }
  const deadline = podDeadline(at, node);
  const left = secondsLeft(at, deadline);
  // Too late to begin; the node's end is not due before the deadline itself.
  if (deadline !== undefined && left !== undefined && left <= 0 && mustWait(at, deadline + 1)) return { node };
  return demandNow(at, node, left);
}

/** After a loss there is nothing to say, and what the node says stays. */
function saying({ pass }: At, node: NodeStatus, message: string): NodeStatus {
  return message === "" ? node : updateNode(pass, node, { message });
}

function mustWait({ pass, frame }: At, until: number): boolean {
  if (pass.now >= until) return false;
  pass.frames.sleepUntil(frame, until);
  return true;
}

function demandNow(at: At, node: NodeStatus, left: number | undefined): Executed {
  const request = podRequest(at, node, left);
  if (typeof request === "string") return failWith(request, node);
  const pod = buildPod(request);
  if (!pod.ok) return failWith(pod.error, node);
  addDemand(at.pass, { kind: "create-pod", nodeId: node.id, pod: pod.value });
  return { node };
}

/** Neither seen nor asked for. A node that was saved before this process may have its pod: it must have looked. */
function isWanted({ pass }: At, node: NodeStatus): boolean {
  const { observations, nodes } = pass;
  if (isSuspended(pass)) return false;
  if (observations.pods.has(node.id) && !observations.gone.has(node.id)) return false;
  const create = observations.podCreates.get(node.id);
  if (create?.kind === "asked" || create?.kind === "created") return false;
  return observations.isComplete || nodes.committed(node.id) === undefined;
}

function podRequest(at: At, node: NodeStatus, left: number | undefined): PodRequest | string {
  const { pass, frame } = at;
  const { metadata } = pass.workflow;
  const { template } = at;
  const podName = podNameFor(pass, node.name, template.name ?? "");
  const archive = archiveLocation(at, podName);
  if (!archive.ok) return archive.error;
  const location = archive.value;
  const patch = replaceTags(at, podName, pass.spec.podSpecPatch);
  if (!patch.ok) return patch.error;
  const boundaryTemplate = boundaryTemplateOf(frame);
  const deadline = executionDeadline(at);
  return {
    workflow: { name: metadata.name ?? "", namespace: metadata.namespace ?? "", uid: metadata.uid ?? "" },
    spec: pass.spec,
    ...(patch.value === undefined ? {} : { workflowPatch: patch.value }),
    node: { id: node.id, name: node.name, podName },
    template,
    ...(boundaryTemplate === undefined ? {} : { boundaryTemplate }),
    includeResult: readsResult(at),
    onExit: frame.call.onExit,
    ...(deadline === undefined ? {} : { deadline: rfc3339OfMs(deadline) }),
    ...(left === undefined ? {} : { secondsLeft: left }),
    retryGeneration: retryGenerationOf(pass.workflow),
    excludedHosts: excludedHosts(at),
    ...(pass.status.persistentVolumeClaims === undefined ? {} : { claims: pass.status.persistentVolumeClaims }),
    ...(location === undefined ? {} : { archiveLocation: location }),
    config: pass.options.pod,
  };
}

function archiveLocation(at: At, podName: string): Result<ArtifactLocation | undefined, string> {
  const { pass, template } = at;
  const location = archiveLocationOf({
    template,
    repository: pass.status.artifactRepositoryRef?.artifactRepository,
    archiveLogs: pass.spec.archiveLogs,
  });
  return replaceTags(at, podName, location);
}

/** With the tags of the workflow, the pod's name and the template's inputs replaced; others stay. */
function replaceTags<T>({ pass, frame, template }: At, podName: string, value: T): Result<T, string> {
  const scope = extendScope(pass.globals.variables.texts, [["pod.name", podName], ...inputValues(template)]);
  const options = { mode: "allow-unresolved", context: exprContext(pass, frame.call.nodeName) } as const;
  const replaced = substitute(value, scope, options);
  return replaced.ok ? replaced : err(replaced.error.message);
}

function* inputValues(template: At["template"]): Generator<readonly [string, string]> {
  for (const { name, value } of template.inputs?.parameters ?? []) {
    if (value !== undefined) yield [`inputs.parameters.${name}`, value];
  }
}
