/** What was lost with its machine stays lost, whatever that machine tells when it can be reached again (design 4). */

import { annotations } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import { workflows } from "../../../src/core/model/resources.js";
import { isLostWithHost } from "../../../src/core/podlife/index.js";
import type { MakeInvariant } from "./invariant.js";

export const lostStaysLost: MakeInvariant = (_world, fail) => ({
  event: ({ type, before, after, nodes }) => {
    if (type !== workflows || before === undefined || after === undefined) return;
    if (generationOf(before) !== generationOf(after)) return;
    for (const { was: node, is } of nodes) {
      if (node === undefined || !isLostWithHost(node)) continue;
      const [was, now] = [saidOf(node), saidOf(is)];
      if (was !== now) fail(`node ${node.name} was lost with its machine, and was changed: ${was} became ${now}`);
    }
  },
});

/** What a late report could change. */
function saidOf(node: NodeStatus | undefined): string {
  const { phase, message, finishedAt, outputs } = node ?? {};
  return JSON.stringify([phase, message, finishedAt, outputs]);
}

function generationOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[annotations.retryGeneration] ?? "0";
}
