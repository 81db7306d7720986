/** The view of a pod as the caches hold it, worked out once: each update is looked at by its stream, its workflow and its pass. */

import type { Pod } from "../core/model/kube/pod.js";
import { type PodView, viewPod } from "../core/podlife/index.js";

/** Goes with the object: nothing is kept for a pod that is gone. */
const views = new WeakMap<Pod, PodView>();

/** As `viewPod`, for objects that nobody changes: the API's are frozen. */
export function viewOf(pod: Pod): PodView {
  const known = views.get(pod);
  if (known !== undefined) return known;
  const view = viewPod(pod);
  views.set(pod, view);
  return view;
}
