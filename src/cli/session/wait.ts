/** Waits for one workflow's end through a watch. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import type { Client, ObjectKey } from "../../kube/client.js";
import { Reflector } from "../../kube/reflector.js";
import type { Context } from "../context.js";

/** The ended workflow; undefined when it is deleted, or was never there. */
export async function waitForEnd(
  context: Context,
  client: Client,
  key: ObjectKey,
  stop?: AbortSignal,
): Promise<Workflow | undefined> {
  const { clock, chance } = context.ports;
  const abort = new AbortController();
  stop?.addEventListener("abort", () => abort.abort());
  const stream = new Reflector<Workflow>({
    client,
    type: workflows,
    clock,
    chance,
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    fieldSelector: `metadata.name=${key.name}`,
  });
  try {
    return await new Promise<Workflow | undefined>((resolve) => {
      stream.addHandler({
        changed: ({ type, object }) => {
          if (object.metadata.name !== key.name) return;
          if (type === "deleted") resolve(undefined);
          else if (object.status?.finishedAt) resolve(object);
        },
      });
      void stream.run(abort.signal);
      void stream.synced.then(() => {
        if (![...stream.store.values()].some(({ metadata }) => metadata.name === key.name)) resolve(undefined);
      });
      abort.signal.addEventListener("abort", () => resolve(undefined));
    });
  } finally {
    abort.abort();
  }
}
