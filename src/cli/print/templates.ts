/** Which template a node ran, and what that template says: read from the spec and from what the status stored. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Invocation, Template } from "../../core/model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../../core/model/argo/workflow.js";

/** Looks templates up for one workflow; made once a drawing. */
export interface TemplateBook {
  readonly spec: WorkflowSpec;
  /** By name in the workflow's own list. */
  local(name: string): Template | undefined;
  /** The template that a node runs. */
  of(node: NodeStatus): Template | undefined;
}

export function templateBook(workflow: Workflow): TemplateBook {
  const spec = workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec;
  const byName = new Map((spec.templates ?? []).map((template) => [template.name ?? "", template]));
  const stored = new Map(Object.entries(workflow.status?.storedTemplates ?? {}));
  const local = (name: string): Template | undefined => byName.get(name);
  return {
    spec,
    local,
    of: (node) => {
      if (node.templateRef) {
        const scope = node.templateRef.clusterScope === true ? "cluster" : "namespaced";
        return stored.get(`${scope}/${node.templateRef.name ?? ""}/${node.templateRef.template ?? ""}`);
      }
      const name = node.templateName ?? "";
      const scope = node.templateScope ?? "";
      if (scope !== "" && !scope.startsWith("local/")) return stored.get(`${scope}/${name}`) ?? local(name);
      return local(name);
    },
  };
}

/** A step or task as written: its name, when it may begin, whether it loops. */
export interface Call {
  readonly name: string;
  readonly invocation: Invocation;
  /** Names of the tasks or steps it waits for. */
  readonly waitsFor: readonly string[];
  /** `depends` text, where it asks for more than success. */
  readonly depends: string;
}

/** The calls of a steps or dag template in the order written; empty for other kinds. */
export function callsOf(template: Template | undefined): readonly Call[] {
  if (template?.dag) {
    return template.dag.tasks.map((task) => ({
      name: task.name,
      invocation: task,
      waitsFor: task.dependencies ?? namesInDepends(task.depends ?? ""),
      depends: task.depends ?? "",
    }));
  }
  let before: readonly string[] = [];
  const calls: Call[] = [];
  for (const group of template?.steps ?? []) {
    for (const step of group) {
      calls.push({ name: step.name ?? "", invocation: step, waitsFor: before, depends: "" });
    }
    if (group.length > 0) before = group.map((step) => step.name ?? "");
  }
  return calls;
}

export function isLoop(invocation: Invocation): boolean {
  return (
    invocation.withItems !== undefined || invocation.withParam !== undefined || invocation.withSequence !== undefined
  );
}

/** `a && (b.Succeeded || !c.Failed)` -> a, b, c. */
function namesInDepends(depends: string): string[] {
  const names = new Set<string>();
  for (const match of depends.matchAll(/[A-Za-z0-9_-]+(?:\.[A-Za-z]+)?/g)) {
    const name = match[0].split(".")[0];
    if (name) names.add(name);
  }
  return [...names];
}
