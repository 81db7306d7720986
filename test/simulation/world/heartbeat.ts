/** The Lease by which a kubelet tells that its machine is there; the embedded one, being the only one, keeps none. */

import type { Lease } from "../../../src/core/model/kube/core.js";
import { leases } from "../../../src/core/model/resources.js";
import { isNotFound } from "../../../src/kube/errors.js";
import type { SimProcess } from "./process.js";
import type { World } from "./world.js";

const KEY = { namespace: "kube-node-lease", name: "local" };
const EVERY_MS = 10_000;

/** Renews for as long as the process lives; what cannot be written now is written the next time. */
export async function keepLease(world: World, process: SimProcess): Promise<void> {
  while (!process.isDead) {
    await renew(world, new Date(process.clock.now()).toISOString().replace("Z", "000Z")).catch(() => undefined);
    await new Promise<void>((resolve) => process.clock.after(EVERY_MS, resolve));
  }
}

async function renew(world: World, renewTime: string): Promise<void> {
  const client = world.outside();
  const spec = { holderIdentity: KEY.name, leaseDurationSeconds: 40, renewTime };
  try {
    await client.patch<Lease>(leases, KEY, { type: "merge", body: { spec } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create<Lease>(leases, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { ...KEY },
      spec,
    });
  }
}
