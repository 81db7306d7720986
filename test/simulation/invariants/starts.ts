/** I1: of each attempt at most one pod ever starts main, and each container starts at most once per restart count. */

import { viewOf } from "../../../src/controller/pod-views.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { ContainerStartedAt } from "../world/machine.js";
import type { MakeInvariant } from "./invariant.js";

export const startsOnce: MakeInvariant = (world, fail) => {
  const containers = new Set<string>();
  const podOfAttempt = new Map<string, string>();
  let seen = 0;

  function check({ pod, container, restartCount }: ContainerStartedAt): void {
    const { uid = "", name = "" } = pod.metadata;
    const one = `${uid}/${container.name}/${restartCount}`;
    if (containers.has(one)) fail(`container ${container.name} of pod ${name} (${uid}) started twice`);
    containers.add(one);
    if (!pod.spec.containers.some(({ name: main }) => main === container.name)) return;
    const { ownerUid = "", nodeId } = viewOf(pod);
    const generation = pod.metadata.annotations?.[annotations.retryGeneration] ?? "0";
    const attempt = `${ownerUid}/${generation}/${nodeId}`;
    const before = podOfAttempt.get(attempt);
    if (before !== undefined && before !== uid)
      fail(`main of node ${nodeId} (generation ${generation}) started in pod ${before} and again in pod ${uid}`);
    podOfAttempt.set(attempt, uid);
  }

  return {
    step: () => {
      const { starts } = world.machine;
      for (; seen < starts.length; seen++) {
        const start = starts[seen];
        if (start !== undefined) check(start);
      }
    },
  };
};
