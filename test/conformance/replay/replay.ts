/** One recording replayed and compared. */

import { ActionDriver } from "./actions.js";
import { compare, type Difference } from "./compare.js";
import { engineOptionsOf } from "./engine-options.js";
import { unbuiltFeature } from "./kinds.js";
import type { RecordedCase } from "./recording.js";
import { Stage } from "./stage.js";

export type ReplayResult =
  | { readonly kind: "equal" }
  | { readonly kind: "different"; readonly differences: readonly Difference[] }
  /** Not compared, and why. */
  | { readonly kind: "left-out"; readonly why: string };

export function replay({ id, recording, world }: RecordedCase): ReplayResult {
  if (recording.rejected !== undefined) return { kind: "left-out", why: "the API server refused it" };
  const feature = unbuiltFeature(recording, world);
  if (feature !== undefined) return { kind: "left-out", why: `${feature} is not built yet` };
  const samples = id.startsWith("examples/");
  const defects: string[] = [];
  const stage = new Stage(recording, {
    engine: engineOptionsOf(samples ? "samples" : "own", (defect) => defects.push(defect)),
    world,
    // Argo's samples were recorded without a scheduler, but for the one that shows all variables.
    hostName: samples && !id.endsWith("/variables-showcase") ? undefined : "fake-node",
    actions: new ActionDriver(recording.actions ?? []),
  });
  const outcome = stage.play();
  const differences = compare({ ...outcome, defects: [...outcome.defects, ...defects] }, recording);
  return differences.length === 0 ? { kind: "equal" } : { kind: "different", differences };
}
