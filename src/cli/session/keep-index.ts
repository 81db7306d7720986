/** Keeps the index file of a long-lived place in step with its workflows. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { Reflector } from "../../kube/reflector.js";
import type { Context } from "../context.js";
import type { OwnedPlace } from "../places/own.js";

/** Resolves with the first look; goes on until `signal` aborts. */
export async function keepIndex(context: Context, place: OwnedPlace, signal: AbortSignal): Promise<void> {
  const { clock, chance } = context.ports;
  const stream = new Reflector<Workflow>({ client: place.handle.client, type: workflows, clock, chance });
  stream.addHandler({
    changed: ({ type, object }) => {
      if (type === "deleted") place.index.remove(object.metadata.uid ?? "");
      else place.index.update(object);
    },
  });
  void stream.run(signal);
  await stream.synced;
}
