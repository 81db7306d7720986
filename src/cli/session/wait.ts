/** Waits for one workflow's end through a watch. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import type { ObjectKey } from "../../kube/client.js";
import { Reflector } from "../../kube/reflector.js";
import type { Context } from "../context.js";
import type { PlaceHandle } from "../ports.js";
import { goDefaultTime, timeOf } from "../print/duration.js";
import { watchOwner } from "./owner-watch.js";

export interface End {
  readonly phase: string;
  /** RFC 3339; empty of one that was deleted. */
  readonly finishedAt: string;
}

export function endOfWorkflow(end: Workflow | "deleted"): End {
  if (end === "deleted") return { phase: end, finishedAt: "" };
  return { phase: end.status?.phase ?? "", finishedAt: end.status?.finishedAt ?? "" };
}

/** `hello Succeeded at 2026-11-30 06:00:03 +0000 UTC` */
export function endLine({ ports }: Context, name: string, { phase, finishedAt }: End): string {
  return `${name} ${phase} at ${goDefaultTime(timeOf(finishedAt) ?? ports.clock.now())}`;
}

/** The ended workflow; "deleted" also when it was never there, "lost" when the owner of its place has gone. */
export async function waitForEnd(
  context: Context,
  handle: PlaceHandle,
  key: ObjectKey,
): Promise<Workflow | "deleted" | "lost"> {
  const { clock, chance } = context.ports;
  const { client } = handle;
  const owner = watchOwner(context, handle);
  const abort = new AbortController();
  const stream = new Reflector<Workflow>({
    client,
    type: workflows,
    clock,
    chance,
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    fieldSelector: `metadata.name=${key.name}`,
    observer: owner.observer,
  });
  try {
    return await new Promise<Workflow | "deleted" | "lost">((resolve) => {
      stream.addHandler({
        changed: ({ type, object }) => {
          if (object.metadata.name !== key.name) return;
          if (type === "deleted") resolve("deleted");
          else if (object.status?.finishedAt) resolve(object);
        },
      });
      void stream.run(abort.signal);
      void stream.synced.then(() => {
        if (![...stream.store.values()].some(({ metadata }) => metadata.name === key.name)) resolve("deleted");
      });
      void owner.gone.then(() => resolve("lost"));
    });
  } finally {
    abort.abort();
  }
}
