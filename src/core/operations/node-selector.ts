/** Node field selectors: `displayName=approve,phase!=Failed` (Argo 4.1 behaviour 3.24). */

import type { NodeStatus } from "../model/argo/node.js";
import { err, ok, type Result } from "../std/result.js";

export type NodeSelector = (node: NodeStatus) => boolean;

interface Requirement {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

/** Operators `=`, `==`, `!=`; a comma means and; `\` takes the meaning of the next `,`, `=` or `\`. Empty: every node. */
export function parseNodeSelector(text: string): Result<NodeSelector> {
  const requirements: Requirement[] = [];
  for (const term of splitUnescaped(text, ",")) {
    if (term.trim() === "") continue;
    const requirement = parseRequirement(term);
    if (requirement === undefined) return err(`invalid selector: '${text}'; can't understand '${term}'`);
    requirements.push(requirement);
  }
  return ok((node) => {
    const fields = selectableFields(node);
    // As Kubernetes: a field that a node does not have is empty.
    return requirements.every(({ field, value, negated }) => ((fields.get(field) ?? "") === value) !== negated);
  });
}

const OPERATOR = /^((?:[^\\=!]|\\.)*)(!=|==|=)((?:[^\\=]|\\.)*)$/s;

function parseRequirement(term: string): Requirement | undefined {
  const match = OPERATOR.exec(term);
  if (match === null) return undefined;
  const [, field = "", operator, value = ""] = match;
  return { field: unescaped(field.trim()), value: unescaped(value.trim()), negated: operator === "!=" };
}

function splitUnescaped(text: string, separator: string): readonly string[] {
  const terms: string[] = [];
  let term = "";
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === separator) {
      terms.push(term);
      term = "";
    } else {
      term += character;
      if (character === "\\") term += text.charAt(++index);
    }
  }
  return [...terms, term];
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}

function selectableFields(node: NodeStatus): ReadonlyMap<string, string> {
  return new Map([
    ["displayName", node.displayName],
    ["templateName", node.templateName ?? ""],
    ["phase", node.phase ?? ""],
    ["name", node.name],
    ["id", node.id],
    ["templateRef.name", node.templateRef?.name ?? ""],
    ["templateRef.template", node.templateRef?.template ?? ""],
    ...(node.inputs?.parameters ?? []).map(
      ({ name, value }) => [`inputs.parameters.${name}.value`, value ?? ""] as const,
    ),
  ]);
}
