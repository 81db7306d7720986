/** Whether the owner of a place, seen through its socket, is still there: who waits for it must not wait for ever. */

import type { ReflectorObserver } from "../../kube/reflector.js";
import type { Context } from "../context.js";
import type { PlaceHandle } from "../ports.js";

export interface OwnerWatch {
  /** For the streams that are read from the owner: a failure of one makes it look. */
  readonly observer: ReflectorObserver;
  /** Resolves when nobody owns the place any more; never where this process is the owner. */
  readonly gone: Promise<void>;
}

export function watchOwner({ ports }: Context, { folder, role }: PlaceHandle): OwnerWatch {
  let resolveGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  if (role !== "peer") return { observer: {}, gone };
  const look = async (): Promise<void> => {
    const host = await ports.places();
    if ((await host.ownership(folder)) !== "owned") resolveGone();
  };
  return { observer: { failed: () => void look() }, gone };
}
