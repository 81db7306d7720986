/** Claims for volumeClaimTemplates: made before anything runs, given back at the end (Argo 4.1 behaviour 3.19). */

import { isFinal } from "../model/argo/final-phase.js";
import { labels } from "../model/argo/names.js";
import type { PersistentVolumeClaimTemplate, Workflow, WorkflowSpec, WorkflowStatus } from "../model/argo/workflow.js";
import type { PersistentVolumeClaim } from "../model/kube/core.js";
import type { Volume } from "../model/kube/pod.js";
import { addDemand, type Pass } from "./pass.js";

export type ClaimsState =
  | { readonly kind: "ready" }
  | { readonly kind: "waiting"; readonly message: string | undefined }
  | { readonly kind: "failed"; readonly message: string };

/** Demands what is missing. */
export function ensureClaims(pass: Pass): ClaimsState {
  const templates = pass.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0 || pass.status.persistentVolumeClaims?.length === templates.length)
    return { kind: "ready" };
  let waiting: ClaimsState | undefined;
  for (const template of templates) {
    const state = ensureClaim(pass, template);
    if (state.kind === "failed") return state;
    if (state.kind === "waiting") waiting = state;
  }
  if (waiting !== undefined) return waiting;
  pass.status = { ...pass.status, persistentVolumeClaims: templates.map((template) => volumeOf(pass, template)) };
  return { kind: "ready" };
}

function ensureClaim(pass: Pass, template: PersistentVolumeClaimTemplate): ClaimsState {
  const name = claimName(pass, template);
  const create = pass.observations.claimCreates.get(name);
  switch (create?.kind) {
    case "created":
      return { kind: "ready" };
    case "refused":
      return { kind: "failed", message: `pvc create error: ${create.message}` };
    case "asked":
      return { kind: "waiting", message: undefined };
    case "refused-for-now":
      if (pass.now < create.retryAt) pass.wakes.push(create.retryAt);
      else addDemand(pass, { kind: "create-pvc", claim: claimOf(pass, template) });
      return { kind: "waiting", message: `Waiting for a PVC to be created. ${create.message}` };
    case undefined:
      addDemand(pass, { kind: "create-pvc", claim: claimOf(pass, template) });
      return { kind: "waiting", message: undefined };
  }
}

function claimName(pass: Pass, template: PersistentVolumeClaimTemplate): string {
  return `${pass.workflow.metadata.name ?? ""}-${template.metadata?.name ?? ""}`;
}

function volumeOf(pass: Pass, template: PersistentVolumeClaimTemplate): Volume {
  return { name: template.metadata?.name ?? "", persistentVolumeClaim: { claimName: claimName(pass, template) } };
}

function claimOf(pass: Pass, template: PersistentVolumeClaimTemplate): PersistentVolumeClaim {
  const { metadata } = pass.workflow;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...template.metadata,
      name: claimName(pass, template),
      namespace: metadata.namespace ?? "",
      labels: { ...template.metadata?.labels, [labels.workflow]: metadata.name ?? "" },
      ownerReferences: [
        {
          apiVersion: "argoproj.io/v1alpha1",
          kind: "Workflow",
          name: metadata.name ?? "",
          uid: metadata.uid ?? "",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  };
}

/** Claims that an ended workflow has still to give back, by its strategy: the saved status is the list of them. */
export function claimsLeft(spec: WorkflowSpec, status: Omit<WorkflowStatus, "nodes">): readonly string[] {
  const strategy = spec.volumeClaimGC?.strategy ?? "OnWorkflowSuccess";
  if (!isFinal(status.phase) || (strategy === "OnWorkflowSuccess" && status.phase !== "Succeeded")) return [];
  return (status.persistentVolumeClaims ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim?.claimName === undefined ? [] : [persistentVolumeClaim.claimName],
  );
}

/** Of a workflow as it is saved. */
export function claimsLeftOf({ spec, status = {} }: Workflow): readonly string[] {
  return claimsLeft(status.storedWorkflowTemplateSpec ?? spec, status);
}

/** At the end: demands that what is left be deleted, and takes off the list what is gone. */
export function giveBackClaims(pass: Pass): void {
  const { claimDeletes, claimsGone } = pass.observations;
  const { uid = "", namespace = "" } = pass.workflow.metadata;
  for (const name of claimsLeft(pass.spec, pass.status)) {
    if (claimsGone.has(name)) takeOffList(pass, name);
    else if (!claimDeletes.has(name)) addDemand(pass, { kind: "delete-pvc", namespace, name, workflowUid: uid });
  }
}

function takeOffList(pass: Pass, name: string): void {
  const { persistentVolumeClaims: all = [], ...rest } = pass.status;
  const left = all.filter(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName !== name);
  pass.status = left.length === 0 ? rest : { ...rest, persistentVolumeClaims: left };
}
