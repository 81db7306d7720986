/** The parts that every layout starts with. */

import type { PodPart } from "../context.js";
import { mainContainers } from "./containers.js";
import { metadataParts } from "./metadata.js";
import { schedulingParts } from "./scheduling.js";
import { surroundingParts } from "./surroundings.js";
import { referencedVolumes } from "./volumes.js";

export { sidecars, userInitContainers } from "./containers.js";
export { addVolumes } from "./volumes.js";

/** Metadata, surroundings, the step's own containers and the volumes they name. */
export const commonParts: readonly PodPart[] = [
  ...metadataParts,
  ...schedulingParts,
  ...surroundingParts,
  mainContainers,
  referencedVolumes,
];
