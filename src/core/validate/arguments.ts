/** Rules for arguments by themselves: names, values, enums, where artifacts come from (Argo 4.1 behaviour 10.5). */

import { type Artifact, hasLocation } from "../model/argo/artifact.js";
import type { Arguments, Parameter } from "../model/argo/template.js";
import { nearestName } from "../model/codec/suggest.js";
import { fieldPath, itemPath } from "../model/path.js";
import { checkNames } from "./names.js";
import { parameterFlag, remarkOn } from "./parameter-text.js";
import type { Spot } from "./report.js";

export interface ArgumentsPlace {
  /** Of `arguments`. */
  readonly path: string;
  /** What Argo puts before a name: `spec.arguments.`. */
  readonly argo: string;
  /** `optional`: values come when it is submitted. */
  readonly values: "required" | "optional";
  /** Whether `-p` gives a value that is missing. */
  readonly givenBy: "flag" | "file";
  /** Entries from here on come from the resource that a workflowTemplateRef names, and are told there. */
  readonly merged?: { readonly parametersFrom: number; readonly artifactsFrom: number; readonly path: string };
}

export function checkArguments(args: Arguments | undefined, place: ArgumentsPlace, spot: Spot): void {
  const { parameters = [], artifacts = [] } = args ?? {};
  const parametersPath = fieldPath(place.path, "parameters");
  const artifactsPath = fieldPath(place.path, "artifacts");
  checkNames(
    parameters,
    { kind: "parameter", word: "parameter", path: parametersPath, argo: `${place.argo}parameters` },
    spot,
  );
  checkNames(
    artifacts,
    { kind: "parameter", word: "artifact", path: artifactsPath, argo: `${place.argo}artifacts` },
    spot,
  );
  const { merged } = place;
  for (const [index, parameter] of parameters.entries()) {
    const isOwn = merged === undefined || index < merged.parametersFrom;
    checkParameter(parameter, isOwn ? itemPath(parametersPath, index) : merged.path, place, spot);
  }
  for (const [index, artifact] of artifacts.entries()) {
    const isOwn = merged === undefined || index < merged.artifactsFrom;
    checkArtifact(artifact, isOwn ? itemPath(artifactsPath, index) : merged.path, place.argo, spot);
  }
}

function checkParameter(parameter: Parameter, path: string, place: ArgumentsPlace, spot: Spot): void {
  const { value, valueFrom } = parameter;
  if (value === undefined && valueFrom === undefined && place.values === "required") {
    tellNoValue(parameter, path, place, spot);
    return;
  }
  if (valueFrom !== undefined) checkSource(parameter, path, place, spot);
  if (parameter.enum !== undefined) checkEnum({ ...parameter, enum: parameter.enum }, path, place, spot);
}

function tellNoValue(parameter: Parameter, path: string, place: ArgumentsPlace, spot: Spot): void {
  const { name } = parameter;
  const about = `"${name}"${remarkOn(parameter)} has no value`;
  const lacks = [fieldPath(path, "value"), fieldPath(path, "valueFrom")];
  const argo = `${place.argo}${name}.value or ${place.argo}${name}.valueFrom is required`;
  if (place.givenBy === "flag") {
    const message = `${about}: add ${parameterFlag(parameter)}`;
    spot.tell({ code: "no-parameter", path: fieldPath(path, "name"), message, argo, lacks });
  } else {
    spot.tell({
      code: "no-parameter",
      path: fieldPath(path, "name"),
      message: about,
      hint: "add value: …",
      argo,
      lacks,
    });
  }
}

/** What a caller may take a value from; anything else is for outputs. */
function checkSource({ name, valueFrom = {} }: Parameter, path: string, place: ArgumentsPlace, spot: Spot): void {
  const allowed =
    valueFrom.configMapKeyRef !== undefined || (valueFrom.event ?? "") !== "" || valueFrom.supplied !== undefined;
  const wrong = (["path", "jsonPath", "parameter", "expression"] as const).find(
    (field) => (valueFrom[field] ?? "") !== "",
  );
  const from = fieldPath(path, "valueFrom");
  if (wrong === undefined && (allowed || spot.unread.within(from))) return;
  spot.tell({
    code: "conflict",
    path: wrong === undefined ? from : fieldPath(from, wrong),
    message: wrong === undefined ? `"${name}" has no source of a value` : `an argument takes no value from ${wrong}`,
    hint:
      wrong === "parameter"
        ? 'write value: "{{…}}"'
        : "an argument takes: value, or valueFrom configMapKeyRef, supplied, event",
    argo: `${place.argo}${name}.valueFrom only allows: default, configMapKeyRef and supplied`,
  });
}

function checkEnum(
  parameter: Parameter & { readonly enum: readonly string[] },
  path: string,
  place: ArgumentsPlace,
  spot: Spot,
): void {
  const { name, value, enum: choices } = parameter;
  const argo = `${place.argo}${name}`;
  if (spot.unread.within(fieldPath(path, "enum")) || spot.unread.at(fieldPath(path, "value"))) return;
  if (choices.length === 0) {
    const message = `the choices for "${name}" are empty`;
    spot.tell({
      code: "invalid",
      path: fieldPath(path, "enum"),
      message,
      argo: `${argo}.enum should contain at least one value`,
    });
  } else if (value === undefined) {
    if (place.values === "optional") return;
    const message = `"${name}"${remarkOn(parameter)} has no value`;
    const hint = place.givenBy === "flag" ? `add ${parameterFlag(parameter)}` : "add value: …";
    spot.tell({
      code: "no-parameter",
      path: fieldPath(path, "name"),
      message,
      hint,
      argo: `${argo}.value is required`,
    });
  } else if (!choices.includes(value)) {
    const near = nearestName(value, choices);
    spot.tell({
      code: "invalid",
      path: fieldPath(path, "value"),
      message: `"${value}" is none of the choices for "${name}": ${choices.join(", ")}`,
      ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
      argo: `${argo}.value should be present in ${argo}.enum list`,
    });
  }
}

function checkArtifact(artifact: Artifact, path: string, argo: string, spot: Spot): void {
  const { name, from = "", fromExpression = "" } = artifact;
  if (from === "" && !hasLocation(artifact)) {
    if (spot.unread.within(path)) return;
    const words =
      fromExpression === ""
        ? {
            message: `the artifact "${name}" comes from nowhere`,
            hint: path.startsWith("spec.arguments")
              ? `add where it lies: s3, http, raw, …; or give a file: --artifact ${name}=PATH`
              : 'add from: "{{…}}", or where it lies: s3, http, raw, …',
          }
        : {
            message: `the artifact "${name}" has fromExpression only`,
            hint: "Argo takes that in outputs only: use from",
          };
    spot.tell({
      code: "missing-field",
      path,
      ...words,
      argo: `${argo}${name}.from, artifact location, or key is required`,
    });
  } else if (from !== "" && fromExpression !== "") {
    const text = `${argo}${name} shouldn't have both \`from\` and \`fromExpression\` in Artifact`;
    spot.tell({
      code: "conflict",
      path: fieldPath(path, "fromExpression"),
      message: "from and fromExpression: one of them is enough",
      argo: text,
    });
  }
}
