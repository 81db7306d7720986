/** Rules for resource templates (Argo 4.1 behaviour 10.4). */

import { fieldPath } from "../model/path.js";
import { readDocuments } from "../model/source/read.js";
import type { FoundTemplate } from "./context.js";

const ACTIONS: readonly string[] = ["get", "create", "apply", "delete", "replace", "patch"];

export function checkResource({ template, path, spot }: FoundTemplate): void {
  const { resource } = template;
  if (resource === undefined) return;
  const name = `templates.${template.name ?? ""}`;
  const at = fieldPath(path, "resource");
  const { action = "", manifest = "", manifestFrom } = resource;
  if (!ACTIONS.includes(action) && !/^\{\{.*\}\}$/s.test(action)) {
    const message = action === "" ? "action is missing" : `"${action}" is no action`;
    const argo = `${name}.resource.action must be one of: ${ACTIONS.join(", ")}`;
    spot.tell({
      code: "invalid",
      path: fieldPath(at, "action"),
      message,
      hint: `actions are ${ACTIONS.join(", ")}`,
      argo,
    });
  }
  if (action === "delete" || action === "get") return;
  if (manifest === "" && manifestFrom === undefined) {
    const argo = `either ${name}.resource.manifest or ${name}.resource.manifestFrom must be specified`;
    spot.tell({ code: "missing-field", path: at, message: "manifest is missing", argo });
  }
  if (manifest !== "" && manifestFrom !== undefined) {
    const argo = "shouldn't have both `manifest` and `manifestFrom` specified in `Manifest` for resource template";
    const message = "manifest is there too: one of them is enough";
    spot.tell({ code: "conflict", path: fieldPath(at, "manifestFrom"), message, argo });
  }
  const artifact = manifestFrom?.artifact.name;
  if (artifact !== undefined && template.inputs?.artifacts?.some((one) => one.name === artifact) !== true) {
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
