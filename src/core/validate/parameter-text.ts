/** How a parameter without a value is spoken of. */

import type { Parameter } from "../model/argo/template.js";

/** ` (which cluster; dev or prod)`: description and choices, or nothing. */
export function remarkOn({ description, enum: choices = [] }: Parameter): string {
  const about = [description?.replace(/\s+/g, " ").trim() ?? "", choices.join(" or ")].filter((text) => text !== "");
  return about.length === 0 ? "" : ` (${about.join("; ")})`;
}

/** `-p env=dev`, ready to copy. */
export function parameterFlag({ name, enum: choices = [], default: fallback }: Parameter): string {
  const pair = `${name}=${choices[0] ?? fallback ?? "VALUE"}`;
  return /^[\w./:=@%+,-]+$/.test(pair) ? `-p ${pair}` : `-p '${pair.replaceAll("'", "'\\''")}'`;
}
