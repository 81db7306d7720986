import { expect, test } from "vitest";
import type { Client } from "../../kube/client.js";
import { ApiError } from "../../kube/errors.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { Hosts } from "./hosts.js";

/** A cluster with one machine, whose kubelet last renewed its Lease when we say. */
function machine(renewTime: () => string | undefined): { readonly hosts: Hosts; readonly clock: VirtualClock } {
  const clock = new VirtualClock();
  const get = async (): Promise<never> => {
    const time = renewTime();
    if (time === undefined) throw new ApiError(404, "NotFound", "no such lease");
    return { spec: { renewTime: time } } as never;
  };
  return { hosts: new Hosts({ get } as unknown as Client, clock), clock };
}

test("a machine without a Lease is lost when none has come for 50 s: its kubelet may only be late with it", async () => {
  let renewTime: string | undefined;
  const { hosts, clock } = machine(() => renewTime);
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 50_000 });
  await clock.advance(49_000);
  renewTime = "1";
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 50_000 });
  renewTime = undefined;
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 50_000 });
  await clock.advance(50_000);
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "lost" });
});

test("a Lease that is not renewed for 50 s is a lost machine, by our own clock and not by what it says", async () => {
  const { hosts, clock } = machine(() => "1970-01-01T00:00:00.000000Z");
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 50_000 });
  clock.jumpWall(3_600_000);
  await clock.advance(20_000);
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 30_000 });
  await clock.advance(30_000);
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "lost" });
  hosts.forget("pod");
  expect(hosts.size).toBe(0);
});

test("a renewal begins the silence anew", async () => {
  let renewTime = "1";
  const { hosts, clock } = machine(() => renewTime);
  await hosts.stateOf("pod", "node-1");
  await clock.advance(49_000);
  renewTime = "2";
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 50_000 });
  await clock.advance(49_000);
  expect(await hosts.stateOf("pod", "node-1")).toEqual({ kind: "answers", againMs: 1000 });
});
