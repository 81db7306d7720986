/** The text and the rules of a Lease used for leader election, as other Kubernetes components read and write it. */

import type { Lease } from "../../core/model/kube/core.js";
import type { ObjectKey } from "../client.js";

export interface Claim {
  readonly identity: string;
  readonly durationMs: number;
  /** Wall clock, milliseconds since the epoch; for people and other implementations, never for our own decisions. */
  readonly nowMs: number;
}

export function newLease(key: ObjectKey, claim: Claim): Lease {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...key },
    spec: { ...heldBy(claim), acquireTime: microTime(claim.nowMs), leaseTransitions: 0 },
  };
}

/** `lease` held by another one until now. */
export function takenOver(lease: Lease, claim: Claim): Lease {
  const leaseTransitions = (lease.spec?.leaseTransitions ?? 0) + 1;
  return { ...lease, spec: { ...lease.spec, ...heldBy(claim), acquireTime: microTime(claim.nowMs), leaseTransitions } };
}

export function renewed(lease: Lease, claim: Claim): Lease {
  return { ...lease, spec: { ...lease.spec, ...heldBy(claim) } };
}

/** Nobody's: the next one need not wait. */
export function released(lease: Lease, nowMs: number): Lease {
  const renewTime = microTime(nowMs);
  return { ...lease, spec: { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime } };
}

export function holderOf(lease: Lease): string {
  return lease.spec?.holderIdentity ?? "";
}

/** How long others must leave it alone after its last change, as its holder says. */
export function durationMsOf(lease: Lease): number {
  return (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
}

function heldBy(claim: Claim): NonNullable<Lease["spec"]> {
  return {
    holderIdentity: claim.identity,
    leaseDurationSeconds: Math.ceil(claim.durationMs / 1000),
    renewTime: microTime(claim.nowMs),
  };
}

/** Kubernetes' MicroTime: six digits. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
