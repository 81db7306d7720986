/** The resource types this system serves or uses, as data: names, scope, subresources (Argo 4.1 behaviour 1.0). */

export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly statusSubresource: boolean;
}

/** `v1` or `argoproj.io/v1alpha1`: the apiVersion of a type's objects. */
export function apiVersionOf(type: Pick<ResourceType, "group" | "version">): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

function core(kind: string, plural: string, shortNames: string[], options: Partial<ResourceType> = {}): ResourceType {
  return {
    group: "",
    version: "v1",
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames,
    namespaced: true,
    statusSubresource: false,
    ...options,
  };
}

function argo(kind: string, plural: string, shortNames: string[], options: Partial<ResourceType> = {}): ResourceType {
  return core(kind, plural, shortNames, { group: "argoproj.io", version: "v1alpha1", ...options });
}

export const namespaces = core("Namespace", "namespaces", ["ns"], { namespaced: false, statusSubresource: true });
export const pods = core("Pod", "pods", ["po"], { statusSubresource: true });
export const configMaps = core("ConfigMap", "configmaps", ["cm"]);
export const secrets = core("Secret", "secrets", []);
export const serviceAccounts = core("ServiceAccount", "serviceaccounts", ["sa"]);
export const events = core("Event", "events", ["ev"]);
export const persistentVolumeClaims = core("PersistentVolumeClaim", "persistentvolumeclaims", ["pvc"], {
  statusSubresource: true,
});
export const leases = core("Lease", "leases", [], { group: "coordination.k8s.io" });

export const workflows = argo("Workflow", "workflows", ["wf"]);
export const workflowTemplates = argo("WorkflowTemplate", "workflowtemplates", ["wftmpl"]);
export const clusterWorkflowTemplates = argo(
  "ClusterWorkflowTemplate",
  "clusterworkflowtemplates",
  ["clusterwftmpl", "cwft"],
  { namespaced: false },
);
export const cronWorkflows = argo("CronWorkflow", "cronworkflows", ["cwf", "cronwf"]);
export const workflowTaskResults = argo("WorkflowTaskResult", "workflowtaskresults", []);

export const builtInTypes: readonly ResourceType[] = [
  namespaces,
  pods,
  configMaps,
  secrets,
  serviceAccounts,
  events,
  persistentVolumeClaims,
  leases,
];

export const argoTypes: readonly ResourceType[] = [
  workflows,
  workflowTemplates,
  clusterWorkflowTemplates,
  cronWorkflows,
  workflowTaskResults,
];
