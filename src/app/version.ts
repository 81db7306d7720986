/** Which build this is; the bundler puts the values in. */

import type { VersionInfo } from "../cli/ports.js";

declare const TIPHYS_BUILD: Omit<VersionInfo, "nodeVersion"> | undefined;

export function versionInfo(): VersionInfo {
  const build = typeof TIPHYS_BUILD === "undefined" ? unbuilt : TIPHYS_BUILD;
  return { ...build, nodeVersion: process.versions.node };
}

const unbuilt: Omit<VersionInfo, "nodeVersion"> = {
  version: "0.0.0-source",
  buildDate: "",
  gitCommit: "",
  gitTreeState: "",
};
