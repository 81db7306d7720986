/** Rules for names: present, well formed, not used twice (Argo 4.1 behaviour 10.3). */

import { fieldPath, itemPath } from "../model/path.js";
import type { Spot } from "./report.js";

export const nameLengthMax = 128;

const TEMPLATE_NAME = /^[a-zA-Z0-9][-a-zA-Z0-9]*$/;
const PARAMETER_NAME = /^[-a-zA-Z0-9_]+$/;

export type NameKind = "template" | "parameter";

export interface NamedList {
  readonly kind: NameKind;
  /** What one of them is called in a sentence: `parameter`, `task`. */
  readonly word: string;
  /** Of the list. */
  readonly path: string;
  /** What Argo puts before `[0].name …`. */
  readonly argo: string;
}

/** Whether all of them can be told apart by their names. */
export function checkNames(
  items: readonly { readonly name?: string; readonly index?: number }[],
  list: NamedList,
  spot: Spot,
): void {
  const seen = new Set<string>();
  for (const [position, item] of items.entries()) {
    const { name = "", index = position } = item;
    const path = fieldPath(itemPath(list.path, index), "name");
    const place = `${list.argo}[${position}].name`;
    if (name === "") {
      const message = `a ${list.word} without a name`;
      const argo = `${place} is required`;
      spot.tell({ code: "bad-name", path: itemPath(list.path, index), message, argo, lacks: [path] });
      continue;
    }
    const reasons = nameFaults(name, list.kind);
    if (reasons.length > 0) {
      const argo = `${place}: '${name}' is invalid: ${reasons.join(";")}`;
      spot.tell({ code: "bad-name", path, message: badName(name, list.word), hint: nameHint(list.kind), argo });
    }
    if (seen.has(name)) {
      const message = `two of the ${list.word}s are called "${name}"`;
      spot.tell({ code: "duplicate-name", path, message, argo: `${place} '${name}' is not unique` });
    }
    seen.add(name);
  }
}

/** Argo's reasons against a name; none when it is good. */
export function nameFaults(name: string, kind: NameKind): readonly string[] {
  if (kind === "parameter") {
    if (PARAMETER_NAME.test(name)) return [];
    return ["Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1"];
  }
  const reasons: string[] = [];
  if (name.length > nameLengthMax) reasons.push(`must be no more than ${nameLengthMax} characters`);
  if (!TEMPLATE_NAME.test(name)) {
    const rule = "name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character";
    reasons.push(`${rule} (e.g. My-name1-2, 123-NAME)`);
  }
  return reasons;
}

export function badName(name: string, word: string): string {
  return `"${name}" cannot be the name of ${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

export function nameHint(kind: NameKind): string {
  if (kind === "parameter") return 'use letters, digits, "-" and "_"';
  return `use letters, digits and "-", a letter or digit first, at most ${nameLengthMax}`;
}
