/** Submit: the workflow that a file or a template names, with what was asked for on top (Argo 4.1 behaviour 7.2, 8.4). */

import { annotations, labels } from "../model/argo/names.js";
import type { CronWorkflow, Workflow, WorkflowSpec, WorkflowTemplate } from "../model/argo/workflow.js";
import type { ObjectMeta, OwnerReference } from "../model/kube/meta.js";
import { err, ok, type Result } from "../std/result.js";
import { type ParameterValue, withParameters } from "./common.js";

export interface SubmitOptions {
  readonly name?: string;
  readonly generateName?: string;
  /** Five characters of `[a-z0-9]`, put behind generateName; chance is an argument. */
  readonly suffix: string;
  /** Of a workflow that names none. */
  readonly namespace?: string;
  readonly entrypoint?: string;
  readonly parameters?: readonly ParameterValue[];
  readonly serviceAccount?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly priority?: number;
  readonly podPriorityClassName?: string;
  readonly ownerReference?: OwnerReference;
  readonly instanceId?: string;
}

/** The workflow to create: named, with its labels, nothing of an earlier run. */
export function submit(workflow: Workflow, options: SubmitOptions): Result<Workflow, string> {
  const metadata = metadataOf(workflow.metadata, options);
  if (metadata.name === undefined) return err("the workflow has neither metadata.name nor metadata.generateName");
  const spec = specOf(workflow.spec, options);
  return ok({ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata, spec });
}

/** The Workflow that runs a WorkflowTemplate, a ClusterWorkflowTemplate, or a CronWorkflow now. */
export function workflowFrom(source: WorkflowTemplate | CronWorkflow, scheduledTime?: string): Workflow {
  const name = source.metadata.name ?? "";
  const namespace = source.metadata.namespace === undefined ? {} : { namespace: source.metadata.namespace };
  const head = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow" };
  if ("workflowSpec" in source.spec) {
    const own = source.spec.workflowMetadata;
    const when = scheduledTime === undefined ? {} : { [annotations.scheduledTime]: scheduledTime };
    const metadata = {
      generateName: `${name}-`,
      ...namespace,
      labels: { ...own?.labels, [labels.cronWorkflow]: name },
      annotations: { ...own?.annotations, ...when },
    };
    return { ...head, metadata, spec: source.spec.workflowSpec };
  }
  const clusterScope = source.kind === "ClusterWorkflowTemplate";
  const label = clusterScope ? labels.clusterWorkflowTemplate : labels.workflowTemplate;
  return {
    ...head,
    metadata: { generateName: `${name}-`, ...namespace, labels: { [label]: name } },
    spec: { workflowTemplateRef: clusterScope ? { name, clusterScope } : { name } },
  };
}

function metadataOf(own: ObjectMeta, options: SubmitOptions): ObjectMeta {
  const namespace = own.namespace ?? options.namespace;
  const owners = options.ownerReference === undefined ? own.ownerReferences : [options.ownerReference];
  const instance = options.instanceId === undefined ? {} : { [labels.instanceId]: options.instanceId };
  const allLabels = { ...withoutRunLabels(own.labels), ...options.labels, ...instance };
  const allAnnotations = { ...own.annotations, ...options.annotations };
  return {
    ...namesOf(own, options),
    ...(namespace === undefined ? {} : { namespace }),
    ...(Object.keys(allLabels).length === 0 ? {} : { labels: allLabels }),
    ...(Object.keys(allAnnotations).length === 0 ? {} : { annotations: allAnnotations }),
    ...(owners === undefined ? {} : { ownerReferences: owners }),
    ...(own.finalizers === undefined ? {} : { finalizers: own.finalizers }),
  };
}

/** A generateName that was asked for beats the file's name. */
function namesOf(own: ObjectMeta, options: SubmitOptions): Pick<ObjectMeta, "name" | "generateName"> {
  const generateName = options.generateName ?? own.generateName;
  const name = options.name ?? (options.generateName === undefined ? own.name : undefined);
  if (generateName === undefined) return name === undefined ? {} : { name };
  return { name: name ?? generateName + options.suffix, generateName };
}

/** Whoever submits the printed form of a finished workflow wants a new run, not one that counts as completed. */
function withoutRunLabels(own: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const {
    [labels.phase]: _phase,
    [labels.completed]: _completed,
    [labels.archivingStatus]: _status,
    ...rest
  } = own ?? {};
  return rest;
}

function specOf(own: WorkflowSpec, options: SubmitOptions): WorkflowSpec {
  const { entrypoint, serviceAccount, priority, podPriorityClassName } = options;
  return {
    ...withParameters(own, options.parameters ?? []),
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
    ...(priority === undefined ? {} : { priority }),
    ...(podPriorityClassName === undefined ? {} : { podPriorityClassName }),
  };
}
