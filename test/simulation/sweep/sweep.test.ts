/** Every fault at every position: samples end as they end without it. All of them: `npm run simulate -- --sweep`. */

import { expect, test } from "vitest";
import { divergenceText } from "./command.js";
import { allFaults, faultOf, parseFaultAt } from "./fault-at.js";
import { exposed } from "./mutants.js";
import { play } from "./play.js";
import { samples } from "./sample.js";
import { perturb, type Recorded, record, sweep } from "./sweep.js";

/** Small ones that between them use most of what there is; the others take minutes. */
const core = ["hello-world", "retry-backoff", "output-parameters", "pod-gc-on-pod-completion", "ttl"];

async function recorded(name: string): Promise<Recorded> {
  const [sample] = samples([name]);
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return record(sample);
}

test.each(core)("%s ends the same, whatever happens to one write or event", async (name) => {
  const one = await recorded(name);
  const diverged: string[] = [];
  let runs = 0;
  for await (const divergence of sweep(one)) {
    runs++;
    if (divergence !== undefined) diverged.push(divergenceText(divergence));
  }
  expect(diverged).toEqual([]);
  expect(runs).toBe(4 * one.recording.writes.length + 2 * one.recording.events.length);
});

test("at least forty samples, each ends as it says and comes to rest", async () => {
  const all = samples();
  expect(all.length).toBeGreaterThanOrEqual(40);
  for (const sample of all) await record(sample);
});

test.each(exposed.map((one) => [one.kind, one.mutant.name, one] as const))(
  "a %s shows a controller with: %s",
  async (kind, _name, { sample: name, mutant }) => {
    const [sample] = samples([name]);
    if (sample === undefined) return expect.unreachable();
    const one = await record(sample, mutant);
    for (const at of allFaults(one.recording).filter((fault) => fault.kind === kind)) {
      const { divergence } = await perturb(one, at);
      if (divergence !== undefined)
        return expect(divergenceText(divergence)).toContain(`--sweep ${name} --at ${kind}:`);
    }
    return expect.unreachable(`${mutant.name} survived`);
  },
);

test("a run repeats itself byte for byte, also where the executor writes files", async () => {
  for (const sample of samples(["script-retry", "artifacts"])) {
    const histories = [await play(sample, {}), await play(sample, {})].map(({ world }) => world.history.print());
    expect(histories[1]).toBe(histories[0]);
  }
});

test("a position is told as text, and read again", () => {
  expect(parseFaultAt("crash:17")).toEqual({ kind: "crash", index: 17 });
  for (const wrong of ["crash", "crash:0", "bang:1", "crash:x"])
    expect(() => parseFaultAt(wrong)).toThrow(/as in crash:17/);
  const recording = { writes: ["write kubelet 2"], events: ["event controller pods 3"] };
  expect(faultOf(recording, { kind: "timeout", index: 1 })).toMatchObject({ at: "write", role: "kubelet", nth: 2 });
  expect(faultOf(recording, { kind: "event", index: 1 })).toMatchObject({ at: "event", plural: "pods", nth: 3 });
  expect(() => faultOf(recording, { kind: "event", index: 2 })).toThrow("there are 1 positions for it");
});
