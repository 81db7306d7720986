/** Names, labels and annotations that Argo's users and tools rely on (Argo 4.1 behaviour 3.1, 3.30, 5.1). */

import { fnv1a32 } from "../../std/fnv.js";

const PREFIX = "workflows.argoproj.io/";

export const labels = {
  workflow: `${PREFIX}workflow`,
  completed: `${PREFIX}completed`,
  phase: `${PREFIX}phase`,
  onExit: `${PREFIX}on-exit`,
  component: `${PREFIX}component`,
  instanceId: `${PREFIX}controller-instanceid`,
  workflowTemplate: `${PREFIX}workflow-template`,
  clusterWorkflowTemplate: `${PREFIX}cluster-workflow-template`,
  cronWorkflow: `${PREFIX}cron-workflow`,
  creator: `${PREFIX}creator`,
  resubmittedFrom: `${PREFIX}resubmitted-from-workflow`,
  archivingStatus: `${PREFIX}workflow-archiving-status`,
  reportOutputsCompleted: `${PREFIX}report-outputs-completed`,
  configMapType: `${PREFIX}configmap-type`,
} as const;

export const annotations = {
  nodeName: `${PREFIX}node-name`,
  nodeId: `${PREFIX}node-id`,
  podNameFormat: `${PREFIX}pod-name-format`,
  podGCStrategy: `${PREFIX}pod-gc-strategy`,
  progress: `${PREFIX}progress`,
  displayName: `${PREFIX}display-name`,
  scheduledTime: `${PREFIX}scheduled-time`,
  defaultContainer: "kubectl.kubernetes.io/default-container",
  /** Ours: which retry generation of the workflow a pod belongs to (design: attempts are never confused). */
  retryGeneration: "tiphys.dev/retry-generation",
  /** Ours, on pods: `none` says that its executor reports nothing, so nobody need wait for a task result. */
  taskResult: "tiphys.dev/task-result",
  /** Ours, on pods: the template's name, for scripts and people; a pod's name only ends in it. */
  template: "tiphys.dev/template",
  /** Ours, on pods: `true` for a daemon, which holds no slot of the machine. */
  daemon: "tiphys.dev/daemon",
  /** Ours, on pods: `true` for one that stands for a step which is not to run. */
  stub: "tiphys.dev/stub",
} as const;

/** Argo's pod finalizer, and ours: the way to and from Argo's controller leaves no pod stuck. */
export const podFinalizer = `${PREFIX}status`;

/** The node ID of a node name; `salt` > 0 is tried when two names of one workflow share a hash. */
export function nodeIdOf(workflowName: string, nodeName: string, salt = 0): string {
  if (nodeName === workflowName) return workflowName;
  return `${workflowName}-${fnv1a32(salted(nodeName, salt))}`;
}

const POD_NAME_PREFIX_MAX = 253 - 10 - 1;

/** Argo's `v2` pod name of a node: `<workflow>-<template>-<hash>`, or the workflow's name for its root. */
export function podNameOf(workflowName: string, nodeName: string, templateName: string, salt = 0): string {
  if (nodeName === workflowName) return workflowName;
  const prefix = templateName === "" ? workflowName : `${workflowName}-${templateName}`;
  return `${prefix.slice(0, POD_NAME_PREFIX_MAX)}-${fnv1a32(salted(nodeName, salt))}`;
}

function salted(nodeName: string, salt: number): string {
  return salt === 0 ? nodeName : `${nodeName}#${salt}`;
}
