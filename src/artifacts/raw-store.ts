/** Artifacts whose content stands in the manifest itself. */

import { writeFile } from "node:fs/promises";
import { ArtifactError, type ArtifactStore, artifactErrorOf } from "./port.js";

export const rawStore: ArtifactStore = {
  put: (artifact) =>
    Promise.reject(new ArtifactError("unsupported", `raw output artifacts unsupported (artifact ${artifact.name})`)),
  get: async (artifact, hostPath) => {
    try {
      await writeFile(hostPath, artifact.raw?.data ?? "", { flag: "wx" });
    } catch (error) {
      throw artifactErrorOf(error, artifact.name);
    }
  },
};
