/** The template of a node, out of what is saved in its workflow. */

import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";

/**
 * As it stands in the spec or was stored at its first use, without arguments. Undefined for one written in place
 * (nothing saved tells which), and where the workflow does not have it any more.
 */
export function templateOfNode(workflow: Workflow, node: NodeStatus): Template | undefined {
  const { spec, status } = workflow;
  const { templateRef: ref, templateName = "", templateScope = "" } = node;
  const stored = (key: string): Template | undefined => {
    const all = status?.storedTemplates ?? {};
    return Object.hasOwn(all, key) ? all[key] : undefined;
  };
  if (ref !== undefined) {
    const scope = ref.clusterScope === true ? "cluster" : "namespaced";
    return stored(`${scope}/${ref.name ?? ""}/${ref.template ?? ""}`);
  }
  if (!templateScope.startsWith("local/")) return stored(`${templateScope}/${templateName}`);
  const own = status?.storedWorkflowTemplateSpec?.templates ?? spec.templates ?? [];
  return own.find(({ name }) => name === templateName);
}
