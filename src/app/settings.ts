/** The engine's and kubelet's settings, from what the user asked a place for. */

import type { PlaceOptions } from "../cli/ports.js";
import { DEFAULT_NODE_NAME } from "../cluster/kubelet/index.js";
import { readControllerConfig } from "../core/engine/controller-config.js";
import type { EngineOptions } from "../core/engine/options.js";
import { annotations } from "../core/model/argo/names.js";
import type { Pod } from "../core/model/kube/pod.js";
import { isPodOfDoneStep, viewPod, wasOnlyEnded } from "../core/podlife/index.js";
import type { ImageCommand } from "../core/podspec/index.js";
import { invalidSpecOrNeed } from "../core/validate/index.js";
import { isStub, type Stubs, standInFor } from "./stubs.js";

/** Base images whose own command is known without asking anybody; `images` of the user come first. */
export function engineOptionsOf(options: PlaceOptions, stubs: Stubs): EngineOptions {
  // What is wrong with it was told before the first step.
  const { podGCDeleteDelayMs, ...configured } = readControllerConfig(options.controllerConfig).settings;
  return {
    ...configured,
    pod: {
      layout: "local",
      images: new Map<string, ImageCommand>(Object.entries(options.images)),
      statusFinalizer: true,
      boundTo: DEFAULT_NODE_NAME,
      ...(podGCDeleteDelayMs !== undefined && { podGCDeleteDelayMs }),
    },
    validate: invalidSpecOrNeed,
    ...(stubs.size > 0 && { standIn: standInFor(stubs) }),
  };
}

/**
 * Daemons run beside the steps that use them: were they to hold a slot, a full machine could wait for itself. Stubs use
 * nothing of the machine.
 */
export function takesSlot(pod: Pod): boolean {
  return !isStub(pod) && pod.metadata.annotations?.[annotations.daemon] !== "true";
}

/** A step whose files somebody may want to see: not a daemon that was ended, nor one whose sidecars were, when it was done. */
export function hasFailed(pod: Pod): boolean {
  if (pod.status?.phase !== "Failed") return false;
  const isDaemon = pod.metadata.annotations?.[annotations.daemon] === "true";
  return !(isDaemon ? wasOnlyEnded(viewPod(pod)) : isPodOfDoneStep(viewPod(pod)));
}
