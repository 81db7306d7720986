/** What the pod tells its executor: the environment of `init` and `wait`, read once and typed. */

import type { ArtifactLocation } from "../core/model/argo/artifact.js";
import { annotations } from "../core/model/argo/names.js";
import type { Template } from "../core/model/argo/template.js";
import type { Pod } from "../core/model/kube/pod.js";
import { localProtocol } from "../core/podspec/index.js";

export interface ExecutorEnvironment {
  readonly namespace: string;
  readonly podName: string;
  readonly nodeId: string;
  readonly workflowName: string;
  readonly workflowUid: string;
  readonly instanceId: string | undefined;
  readonly retryGeneration: string | undefined;
  readonly includeResult: boolean;
  readonly template: Template & { readonly archiveLocation?: ArtifactLocation };
}

export interface PodEnvironment {
  readonly pod: Pod;
  readonly env: ReadonlyMap<string, string>;
}

/** The variables are our own controller's: one that is missing is a defect, and said by name. */
export function readEnvironment({ pod, env }: PodEnvironment): ExecutorEnvironment {
  const names = localProtocol.env;
  const required = (name: string): string => {
    const value = env.get(name);
    if (value === undefined) throw new Error(`the executor's environment has no ${name}`);
    return value;
  };
  return {
    namespace: pod.metadata.namespace ?? "",
    podName: env.get(names.podName) ?? pod.metadata.name ?? "",
    nodeId: required(names.nodeId),
    workflowName: required(names.workflowName),
    workflowUid: required(names.workflowUid),
    instanceId: env.get(names.instanceId),
    retryGeneration: pod.metadata.annotations?.[annotations.retryGeneration],
    includeResult: env.get(names.includeScriptOutput) === "true",
    template: JSON.parse(required(names.template)) as ExecutorEnvironment["template"],
  };
}
