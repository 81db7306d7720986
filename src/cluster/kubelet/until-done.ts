/** What the kubelet has to tell the API, however often it must be said. */

import type { Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import { sleep } from "../../kube/clock.js";
import { isConflict, isNotFound } from "../../kube/errors.js";
import { keyOf } from "../../kube/key.js";
import type { KubeletContext } from "./kubelet-context.js";

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;

export interface Errand {
  readonly context: KubeletContext;
  readonly pod: Pod;
  /** Gives it up. */
  readonly stopped: AbortSignal;
}

/** An API that does not answer is asked again, ever more slowly. */
export async function untilDone({ context, pod, stopped }: Errand, write: () => Promise<void>): Promise<void> {
  for (let waitMs = FIRST_RETRY_MS; !stopped.aborted; waitMs = Math.min(MAX_RETRY_MS, waitMs * 2)) {
    try {
      return await write();
    } catch (error) {
      context.onError(error, pod);
      await sleep(context.clock, waitMs, stopped);
    }
  }
}

/** Ends the pod's graceful deletion; done already counts as done. */
export async function endDeletion(errand: Errand): Promise<void> {
  const { context, pod } = errand;
  const { uid } = pod.metadata;
  const options = { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { preconditions: { uid } }) };
  await untilDone(errand, async () => {
    try {
      await context.client.delete(pods, keyOf(pod), options);
    } catch (error) {
      if (isNotFound(error) || (isConflict(error) && !(await isThere(errand)))) return;
      throw error;
    }
  });
}

/** A conflict may be about more than the UID: only the pod itself says whether it has gone. */
async function isThere({ context, pod }: Errand): Promise<boolean> {
  try {
    const live = await context.client.get<Pod>(pods, keyOf(pod));
    return live.metadata.uid === pod.metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
