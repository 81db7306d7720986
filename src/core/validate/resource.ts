/** Rules for resource templates (Argo 4.1 behaviour 10.4). */

import type { ResourceTemplate } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { readDocuments } from "../model/source/read.js";
import type { FoundTemplate } from "./context.js";

const ACTIONS: readonly string[] = ["get", "create", "apply", "delete", "replace", "patch"];

export function checkResource(found: FoundTemplate): void {
  const { resource } = found.template;
  if (resource === undefined) return;
  const { action = "" } = resource;
  checkAction(action, found);
  const isKnown = !found.spot.unread.at(fieldPath(fieldPath(found.path, "resource"), "action"));
  if (isKnown && action !== "delete" && action !== "get") checkManifest(resource, found);
}

function checkAction(action: string, { template, path, spot }: FoundTemplate): void {
  if (ACTIONS.includes(action) || /^\{\{.*\}\}$/s.test(action)) return;
  const at = fieldPath(fieldPath(path, "resource"), "action");
  const message = action === "" ? "action is missing" : `"${action}" is no action`;
  const known = ACTIONS.join(", ");
  const argo = `templates.${template.name ?? ""}.resource.action must be one of: ${known}`;
  spot.tell({ code: "invalid", path: at, message, hint: `actions are ${known}`, argo });
}

function checkManifest(resource: ResourceTemplate, { template, path, spot }: FoundTemplate): void {
  const name = `templates.${template.name ?? ""}`;
  const at = fieldPath(path, "resource");
  const { manifest = "", manifestFrom } = resource;
  if (manifest === "" && manifestFrom === undefined) {
    const argo = `either ${name}.resource.manifest or ${name}.resource.manifestFrom must be specified`;
    const lacks = ["manifest", "manifestFrom"].map((field) => fieldPath(at, field));
    spot.tell({ code: "missing-field", path: at, message: "manifest is missing", argo, lacks });
  }
  if (manifest !== "" && manifestFrom !== undefined) {
    const argo = "shouldn't have both `manifest` and `manifestFrom` specified in `Manifest` for resource template";
    const message = "manifest and manifestFrom: one of them is enough";
    spot.tell({ code: "conflict", path: fieldPath(at, "manifestFrom"), message, argo });
  }
  const artifact = manifestFrom?.artifact.name;
  const inputs = fieldPath(fieldPath(path, "inputs"), "artifacts");
  const isKnown = !spot.unread.inList(inputs, template.inputs?.artifacts);
  if (artifact !== undefined && isKnown && template.inputs?.artifacts?.some((one) => one.name === artifact) !== true) {
    const argo = `artifact ${artifact} in \`manifestFrom\` refer to a non-exist artifact`;
    const message = `there is no input artifact "${artifact}"`;
    spot.tell({ code: "unresolved", path: fieldPath(at, "manifestFrom"), message, argo });
  }
  if (manifest !== "" && !isYaml(manifest)) {
    const argo = `${name}.resource.manifest must be a valid yaml`;
    spot.tell({ code: "yaml-syntax", path: fieldPath(at, "manifest"), message: "the manifest is not YAML", argo });
  }
}

/** Tags may stand unquoted where they are replaced before the manifest is read. */
function isYaml(manifest: string): boolean {
  const replaced = manifest.replace(/\{\{.*?\}\}/gs, "placeholder");
  const { problems } = readDocuments(replaced, "");
  return problems.every(({ code }) => code === "empty" || code === "duplicate-field");
}
