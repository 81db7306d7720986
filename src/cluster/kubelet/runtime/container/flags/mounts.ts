/** Volumes and `--mount` folders as flags. */

import type { Mount } from "../../port.js";

/** Of two mounts at one path the later one counts. */
export function distinctMounts(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map(mounts.map((mount) => [normalised(mount.path), mount]));
  return [...byPath.values()];
}

export function mountFlags(mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(({ path, source, readOnly }) => {
    const fields = ["type=bind", `source=${source}`, `target=${path}`, ...(readOnly ? ["readonly"] : [])];
    return ["--mount", fields.map(csvField).join(",")];
  });
}

function normalised(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The value is a line of CSV to both programs. */
function csvField(field: string): string {
  return /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
