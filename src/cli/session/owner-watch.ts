/** Whether the owner of a place, seen through its socket, is still there: who waits for it must not wait for ever. */

import type { ReflectorObserver } from "../../kube/reflector.js";
import type { PlaceHandle, Ports } from "../ports.js";

export interface OwnerWatch {
  /** For the streams that are read from the owner: a failure of one makes it look. */
  readonly observer: ReflectorObserver;
  /** Resolves when nobody owns the place any more; never where this process is the owner. */
  readonly gone: Promise<void>;
}

export function watchOwner(
  { ports }: { readonly ports: Pick<Ports, "places"> },
  { folder, role }: Pick<PlaceHandle, "folder" | "role">,
): OwnerWatch {
  let resolveGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  if (role !== "peer") return { observer: {}, gone };
  const look = async (): Promise<void> => {
    const host = await ports.places();
    if ((await host.ownership(folder)) !== "owned") resolveGone();
  };
  // Who cannot look now looks at the next failure: the stream is read again, and fails again, as long as nobody answers.
  return { observer: { failed: () => void look().catch(() => undefined) }, gone };
}
