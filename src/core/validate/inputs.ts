/** Rules for a template's inputs (Argo 4.1 behaviour 10.3, 10.5). */

import { fieldPath, itemPath } from "../model/path.js";
import { checkLocation } from "./artifact-location.js";
import { checkLeafPath, checkNoPath } from "./artifact-path.js";
import type { FoundTemplate } from "./context.js";
import { checkNames } from "./names.js";
import { isLeaf } from "./offers.js";

export function checkInputs({ template, path, spot }: FoundTemplate): void {
  const { parameters = [], artifacts = [] } = template.inputs ?? {};
  const argo = `templates.${template.name ?? ""}.inputs`;
  const inputs = fieldPath(path, "inputs");
  const parametersPath = fieldPath(inputs, "parameters");
  const artifactsPath = fieldPath(inputs, "artifacts");
  checkNames(
    parameters,
    { kind: "parameter", word: "parameter", path: parametersPath, argo: `${argo}.parameters` },
    spot,
  );
  checkNames(artifacts, { kind: "parameter", word: "artifact", path: artifactsPath, argo: `${argo}.artifacts` }, spot);
  for (const [index, artifact] of artifacts.entries()) {
    const place = { path: itemPath(artifactsPath, index), argo: `${argo}.artifacts.${artifact.name}` };
    if (isLeaf(template)) checkLeafPath(artifact, place, spot);
    else checkNoPath(artifact, place, spot);
    if ((artifact.from ?? "") !== "") {
      const message = "an input has no from: the caller gives it";
      const hint = "write from in the arguments of the step or task";
      spot.tell({
        code: "conflict",
        path: fieldPath(place.path, "from"),
        message,
        hint,
        argo: `${place.argo}.from not valid in inputs`,
      });
    }
    checkLocation(artifact, place.path, place.argo, spot);
  }
  for (const [index, parameter] of parameters.entries()) {
    const { name, value = parameter.default, enum: choices = [] } = parameter;
    if (value === undefined || choices.length === 0 || choices.includes(value) || value.includes("{{")) continue;
    const at = fieldPath(itemPath(parametersPath, index), parameter.value === undefined ? "default" : "value");
    const message = `"${value}" is none of the choices for "${name}": ${choices.join(", ")}`;
    spot.tell({ code: "invalid", severity: "warning", path: at, message });
  }
}
