/** The table of kinds: one row for each thing a template can do. */

import type { TemplateKind } from "../../model/argo/template.js";
import { dagKind } from "./dag.js";
import type { Kind } from "./kind.js";
import { podKind } from "./pod.js";
import { stepsKind } from "./steps.js";
import { suspendKind } from "./suspend.js";
import { unbuiltKind } from "./unbuilt.js";

export const kinds: Readonly<Record<TemplateKind | "none", Kind>> = {
  container: podKind,
  script: podKind,
  steps: stepsKind,
  dag: dagKind,
  suspend: suspendKind,
  containerSet: unbuiltKind("containerSet"),
  resource: unbuiltKind("resource"),
  data: unbuiltKind("data"),
  http: unbuiltKind("http"),
  plugin: unbuiltKind("plugin"),
  none: unbuiltKind("none"),
};
