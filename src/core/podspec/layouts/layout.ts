/** How a pod is put together around the step's containers: who stages inputs, who saves outputs, in which order. */

import type { Template } from "../../model/argo/template.js";
import type { PodPart } from "../context.js";

/** A layout is a list of parts; callers only name it. */
export interface PodLayout {
  /** Why this layout cannot run the template; undefined when it can. */
  refusal(template: Template): string | undefined;
  /** All parts in their order, the common ones included. */
  readonly parts: readonly PodPart[];
}
