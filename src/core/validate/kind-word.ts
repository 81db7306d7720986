/** Argo's word for a kind of template in messages: `Container`, `DAG`. */

import type { Template, TemplateKind } from "../model/argo/template.js";
import { kindOf } from "../template/kind.js";

const WORDS: Readonly<Record<TemplateKind, string>> = {
  container: "Container",
  containerSet: "ContainerSet",
  steps: "Steps",
  dag: "DAG",
  script: "Script",
  resource: "Resource",
  data: "Data",
  suspend: "Suspend",
  http: "HTTP",
  plugin: "Plugin",
};

export function kindWord(template: Template): string {
  const kind = kindOf(template);
  return kind === undefined ? "Unknown" : WORDS[kind];
}
