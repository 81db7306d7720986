/** The layout for one machine: main as the user wrote it, `init` and `wait` built in, each only where it has work. */

import type { Template } from "../../../model/argo/template.js";
import { commonParts, sidecars, userInitContainers } from "../../parts/index.js";
import type { PodLayout } from "../layout.js";
import { commonEnv, credentials, init, wait } from "./executor.js";
import { inputArtifacts, script } from "./staging.js";

export const localLayout: PodLayout = {
  refusal,
  // Mounts first, then who mirrors them; the environment last, so that every container gets it.
  parts: [...commonParts, inputArtifacts, script, credentials, userInitContainers, sidecars, init, wait, commonEnv],
};

/** Without an emissary inside them, nothing could hold back a set's containers until their dependencies are done. */
function refusal(template: Template): string | undefined {
  const runs = template.container !== undefined || template.script !== undefined;
  return runs ? undefined : `template '${template.name ?? ""}' is of a kind that cannot run on one machine yet`;
}
