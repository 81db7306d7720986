/** Images that are little more than one program: this machine's own program can stand in for them. */

import type { ImageEntry } from "../ports.js";

/** Repository -> programs that do as well, the first that PATH has. */
const BASE_IMAGES: Readonly<Record<string, readonly string[]>> = {
  busybox: ["sh"],
  alpine: ["sh"],
  debian: ["bash", "sh"],
  ubuntu: ["bash", "sh"],
  bash: ["bash"],
  python: ["python3", "python"],
  node: ["node"],
  golang: ["go"],
  curl: ["curl"],
  "curlimages/curl": ["curl"],
};

/**
 * The programs that stand in for an image; undefined when it is no base image. `images` adds to the table: an image
 * with an entrypoint stands for that program.
 */
export function standIns(image: string, images: Readonly<Record<string, ImageEntry>>): readonly string[] | undefined {
  const own = images[image] ?? images[repositoryOf(image)];
  const program = own?.entrypoint?.[0] ?? own?.cmd?.[0];
  if (program !== undefined) return [program];
  return BASE_IMAGES[repositoryOf(image)];
}

/** `docker.io/library/alpine:3.20@sha256:…` -> `alpine`; other registries keep their name. */
export function repositoryOf(image: string): string {
  const bare = image.replace(/@.*$/, "").replace(/:[^/]*$/, "");
  return bare.replace(/^(?:index\.)?docker\.io\//, "").replace(/^library\//, "");
}
