/** Rules for templates that call no others: pods, suspend, HTTP (Argo 4.1 behaviour 10.4). */

import type { Template } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import { checkTags } from "./check-tags.js";
import { checkContainerSet } from "./container-set.js";
import type { FoundTemplate } from "./context.js";
import type { KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";
import { checkResource } from "./resource.js";
import { tagsInDeclared } from "./tags.js";
import { checkVolumes } from "./volumes.js";

export function checkLeaf(found: FoundTemplate, names: KnownNames): void {
  const { template, path, spot } = found;
  const argo = `templates.${template.name ?? ""}`;
  checkTags(tagsInDeclared(template, path), names, `${argo}: `, spot);
  if (template.container !== undefined) {
    checkMounts(found);
    checkImage(found, "container");
  }
  checkContainerSet(found);
  checkResource(found);
  if (template.script !== undefined) checkImage(found, "script");
  checkSidecars(found);
  checkVolumes(found);
  checkDeadline(template, path, argo, spot);
  if (template.parallelism !== undefined) {
    const message = "parallelism is for steps and dag templates";
    const text = `${argo}.parallelism is only valid for steps and dag templates`;
    spot.tell({ code: "conflict", path: fieldPath(path, "parallelism"), message, argo: text });
  }
}

/** Two things cannot be mounted at one path. */
function checkMounts({ template, path, spot }: FoundTemplate): void {
  const argo = `templates.${template.name ?? ""}`;
  const taken = new Map<string, string>();
  const mounts = fieldPath(fieldPath(path, "container"), "volumeMounts");
  const take = (mountPath: string, name: string, at: string, text: string): void => {
    if (mountPath === "") return;
    const other = taken.get(mountPath);
    if (other !== undefined) {
      const message = `${mountPath} is taken by ${other} already`;
      spot.tell({ code: "conflict", path: at, message, argo: `${text} '${mountPath}' already mounted in ${other}` });
    }
    taken.set(mountPath, name);
  };
  for (const [index, mount] of (template.container?.volumeMounts ?? []).entries()) {
    const at = fieldPath(itemPath(mounts, index), "mountPath");
    const text = `${argo}.container.volumeMounts[${index}].mountPath`;
    take(mount.mountPath, `container.volumeMounts.${mount.name}`, at, text);
  }
  const artifacts = fieldPath(fieldPath(path, "inputs"), "artifacts");
  for (const [index, artifact] of (template.inputs?.artifacts ?? []).entries()) {
    const at = fieldPath(itemPath(artifacts, index), "path");
    take(artifact.path ?? "", `inputs.artifacts.${artifact.name}`, at, `${argo}.inputs.artifacts[${index}].path`);
  }
}

function checkImage({ template, path, home, spot }: FoundTemplate, kind: "container" | "script"): void {
  if ((template[kind]?.image ?? "") !== "" || (home.defaults?.[kind]?.image ?? "") !== "") return;
  if (spot.unread.within(home.defaultsPath)) return;
  spot.tell({
    code: "missing-field",
    path: fieldPath(path, kind),
    message: "image is missing",
    hint: "add image: …",
    argo: `templates.${template.name ?? ""}.${kind}.image may not be empty`,
    lacks: [fieldPath(fieldPath(path, kind), "image")],
  });
}

const RESERVED = /^(?:wait|supervisor|artifact-plugin-.*)$/;

function checkSidecars({ template, path, spot }: FoundTemplate): void {
  for (const [index, { name }] of (template.sidecars ?? []).entries()) {
    if (!RESERVED.test(name)) continue;
    const at = fieldPath(itemPath(fieldPath(path, "sidecars"), index), "name");
    const message = `"${name}" is the name of a container that is added to each pod`;
    const argo = `templates.${template.name ?? ""}.sidecars: "${name}" is a reserved Argo container name`;
    spot.tell({ code: "bad-name", path: at, message, argo });
  }
}

function checkDeadline({ activeDeadlineSeconds }: Template, path: string, argo: string, spot: Spot): void {
  if (activeDeadlineSeconds === undefined) return;
  const text = String(activeDeadlineSeconds);
  if (/^\d+$/.test(text) || /^\{\{.*\}\}$/s.test(text)) return;
  spot.tell({
    code: "invalid",
    path: fieldPath(path, "activeDeadlineSeconds"),
    message: `${text} is no number of seconds`,
    hint: "write whole seconds, 1 or more",
    argo: `${argo}.activeDeadlineSeconds must be a positive integer > 0 or an argo variable`,
  });
}
