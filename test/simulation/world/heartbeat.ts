/** The Lease by which a kubelet tells that its machine is there; the embedded one, being the only one, keeps none. */

import type { Lease } from "../../../src/core/model/kube/core.js";
import { leases } from "../../../src/core/model/resources.js";
import type { ObjectKey } from "../../../src/kube/client.js";
import { isNotFound } from "../../../src/kube/errors.js";
import type { SimProcess } from "./process.js";
import type { World } from "./world.js";

const EVERY_MS = 10_000;

export interface Heart {
  /** Of the machine. */
  readonly name: string;
  readonly isCutOff: () => boolean;
  /** The Lease was renewed. */
  readonly heard: () => void;
}

export function leaseKeyOf(name: string): ObjectKey {
  return { namespace: "kube-node-lease", name };
}

/** Renews for as long as the process lives; what cannot be written now is written the next time. */
export async function keepLease(world: World, process: SimProcess, heart: Heart): Promise<void> {
  while (!process.isDead) {
    if (!heart.isCutOff()) await beat(world, process, heart).catch(() => undefined);
    await new Promise<void>((resolve) => process.clock.after(EVERY_MS, resolve));
  }
}

async function beat(world: World, { clock }: SimProcess, { name, heard }: Heart): Promise<void> {
  await renew(world, name, new Date(clock.now()).toISOString().replace("Z", "000Z"));
  heard();
}

async function renew(world: World, name: string, renewTime: string): Promise<void> {
  const client = world.outside();
  const key = leaseKeyOf(name);
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
  try {
    await client.patch<Lease>(leases, key, { type: "merge", body: { spec } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create<Lease>(leases, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { ...key },
      spec,
    });
  }
}
