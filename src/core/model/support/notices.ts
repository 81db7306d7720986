/** Verdicts that many rows share. */

import { notice, notYet } from "./row.js";

export const noScheduler = notice("means nothing here: one machine runs every pod");
export const noTokens = notice("means nothing here: steps get no service account token");
export const noNetworkPolicy = notice("is not applied here: steps use the network of this machine");
export const ownNetwork = notice("is not applied here: a pod has a network of its own", ["host", "scripted"]);
export const containersOnly = notice("is applied by container runtimes only", ["docker", "podman"]);
export const pulledByRuntime = notice("is not used here: the container runtime has its own login");
export const noMetrics = notice("is not emitted here");
export const keptArtifacts = notice("means nothing here: artifacts are kept until you delete the run");
export const runOnce = notice("means nothing to a single run");
export const noRemoteStore = notice(
  "names a remote store: here it is a folder of this machine, the store is not touched",
);
export const lockNotYet = notYet("is not built yet: without it steps could run that must not run at once");
