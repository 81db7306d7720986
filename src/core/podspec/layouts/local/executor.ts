/** The executor's two containers, each only where it has work, and the environment they share with main. */

import { annotations as annotationNames } from "../../../model/argo/names.js";
import type { Container, EnvVar, Pod } from "../../../model/kube/pod.js";
import { changeAll, type PodContext, type PodPart, withMetadata, withSpec } from "../../context.js";
import { addVolumes } from "../../parts/index.js";
import type { PodRequest } from "../../request.js";
import { credentialMounts, credentialVolumes } from "./credentials.js";
import { needsInit, needsWait } from "./needs.js";
import { env, initContainerName, initImage, noDeadline, waitContainerName, waitImage } from "./protocol.js";
import { initMounts } from "./staging.js";

export const credentials: PodPart = (pod, { request }) => addVolumes(pod, credentialVolumes(request.template));

export const init: PodPart = (pod, context) => {
  if (!needsInit(context.request)) return pod;
  const base = executorContainer(initContainerName, initImage, context);
  const container = { ...base, volumeMounts: [...initMounts(pod, context), ...(base.volumeMounts ?? [])] };
  return withSpec(pod, { initContainers: [container, ...(pod.spec.initContainers ?? [])] });
};

/** Behind the step's containers: they start in order, and main should not wait for its observer. */
export const wait: PodPart = (pod, context) => {
  if (!needsWait(context.request)) return withoutReport(pod);
  const container = executorContainer(waitContainerName, waitImage, context);
  return withSpec(pod, { containers: [...pod.spec.containers, container] });
};

function withoutReport(pod: Pod): Pod {
  const annotations = { ...pod.metadata.annotations, [annotationNames.taskResult]: "none" };
  return withMetadata(pod, { annotations });
}

function executorContainer(name: string, image: string, { request }: PodContext): Container {
  const { workflow, node, config } = request;
  const own: readonly EnvVar[] = [
    { name: env.podName, value: node.podName },
    { name: env.podUid, valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } },
    { name: env.workflowUid, value: workflow.uid },
    { name: env.template, value: unexpanded(JSON.stringify(executorTemplate(request))) },
  ];
  const instance = config.instanceId === undefined ? [] : [{ name: env.instanceId, value: config.instanceId }];
  const mounts = credentialMounts(request.template);
  const container = { name, image, imagePullPolicy: "IfNotPresent" as const, env: [...own, ...instance] };
  return mounts.length === 0 ? container : { ...container, volumeMounts: mounts };
}

/**
 * JSON in which Kubernetes finds nothing to expand: `$$` and `$(NAME)` of a script are the shell's. (On a cluster Argo's own
 * executor gets its template through an environment variable as well, and a script loses every second dollar sign.)
 */
function unexpanded(json: string): string {
  return json.replaceAll("$", "\\u0024");
}

/** Input parameters are replaced in the template already, and may be secret or long: they stay out. */
function executorTemplate({ template, archiveLocation }: PodRequest): object {
  const { inputs, ...rest } = template;
  const artifacts = inputs?.artifacts === undefined ? {} : { artifacts: inputs.artifacts };
  return { ...rest, inputs: artifacts, ...(archiveLocation === undefined ? {} : { archiveLocation }) };
}

/** Before the user's own variables, which may refer to them by `$(NAME)`. */
export const commonEnv: PodPart = (pod, { request }) =>
  changeAll(pod, (container) => ({ ...container, env: [...envOf(request, container), ...(container.env ?? [])] }));

function envOf({ node, workflow, includeResult, deadline }: PodRequest, container: Container): readonly EnvVar[] {
  return [
    { name: env.containerName, value: container.name },
    { name: env.nodeId, value: node.id },
    { name: env.workflowName, value: workflow.name },
    { name: env.includeScriptOutput, value: String(includeResult) },
    { name: env.deadline, value: deadline ?? noDeadline },
  ];
}
