/** Image references: what is one, and what a short one stands for. */

import { err, ok, type Result } from "../../../../core/std/result.js";

const DOMAIN =
  "(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
const PATH = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${PATH}(?:/${PATH})*(?::[\\w][\\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);
const MAX_LENGTH = 512;

/** The text back, if it may be an image; else Kubernetes' own words (reason InvalidImageName). */
export function checkedImage(image: string): Result<string> {
  if (image.length <= MAX_LENGTH && REFERENCE.test(image)) return ok(image);
  return err(`couldn't parse image name "${image}": invalid reference format`);
}

/** `registry.corp:5000/team/app:1` -> `registry.corp:5000`; docker.io where none is named. */
export function registryOf(image: string): string {
  const first = image.split("/")[0] ?? "";
  return image.includes("/") && /[.:]|^localhost$/.test(first) ? first : "docker.io";
}

/** `busybox` -> `docker.io/library/busybox`; others stay as they are. */
export function fullName(image: string): string {
  const first = image.split("/")[0] ?? "";
  if (image.includes("/") && /[.:]|^localhost$/.test(first)) return image;
  return image.includes("/") ? `docker.io/${image}` : `docker.io/library/${image}`;
}
