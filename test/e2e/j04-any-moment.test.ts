/** J4: killed at each write, at moments of no reason, and between the start record and the start of a process. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { becomesEmpty } from "./processes.js";
import { type Ended, User } from "./program.js";
import { StoreWrites, startRecord } from "./store-watch.js";

/** Each attempt writes down that it was started. A run that is killed once ends well, when it is gone on with. */
const pair = (limit: number): string => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: pair
spec:
  entrypoint: main
  templateDefaults:
    retryStrategy:
      limit: ${limit}
      retryPolicy: Always
  templates:
    - name: main
      retryStrategy:
        limit: 0
      steps:
        - - name: one
            template: count
        - - name: two
            template: count
    - name: count
      container:
        image: busybox
        command: [sh, -c, "echo {{pod.name}} >> $SEEN/starts; echo counted"]
`;

const KILLS_AT_WRITES = 12;
const KILLS_BY_CHANCE = 4;
const RECORD_KILLS = 3;
const AT_ONCE = 2;

/** One life: a run that is killed, and what is left of it is gone on with. */
class Life {
  readonly user = new User();

  constructor(limit = 1) {
    this.user.file("pair.yaml", pair(limit));
  }

  /** False when it came to its end by itself. */
  async run(killed: (kill: () => void) => () => void): Promise<boolean> {
    const running = this.user.start(["run", "pair.yaml", "--runtime", "host", ...this.user.traced]);
    const stop = killed(() => running.child.kill("SIGKILL"));
    await running.exited;
    stop();
    await becomesEmpty(() => this.user.leftovers());
    return running.child.signalCode === "SIGKILL";
  }

  /** Whatever was lost, it ends as if nothing had happened, and nothing was started twice. */
  async endsWell(when: string): Promise<void> {
    const resumed = await this.user.tiphys(["run", "--resume", "pair", "-o", "json"]);
    const starts = this.user.seen("starts");
    expect(starts.length, when).toBe(new Set(starts).size);
    const workflow = await this.ended(resumed, when);
    if (workflow === undefined) {
      expect(starts, when).toEqual([]);
      return;
    }
    expect(workflow.status.phase, when).toBe("Succeeded");
    const pods = Object.values(workflow.status.nodes).filter(({ type }) => type === "Pod");
    for (const step of ["one", "two"]) {
      const attempts = pods.filter(({ displayName }) => displayName.startsWith(`${step}(`));
      const phases = attempts.map(({ phase }) => phase).filter((phase) => phase !== "Error");
      expect(phases, `${when} ${step}`).toEqual(["Succeeded"]);
    }
  }

  /** Undefined when it was killed before there was a workflow. */
  private async ended(resumed: Ended, when: string): Promise<Workflow | undefined> {
    if (resumed.code === 0) return JSON.parse(resumed.stdout) as Workflow;
    const list = await this.user.tiphys(["list", "-o", "json"]);
    const [workflow] = JSON.parse(list.stdout) as readonly Workflow[];
    const refusal = workflow === undefined ? "error: no workflows here yet" : "error: pair has ended: Succeeded";
    const nodes = Object.values(workflow?.status.nodes ?? {}).map(({ displayName, phase, message = "" }) =>
      [displayName, phase, message].join(" "),
    );
    expect(resumed.stderr.split("\n")[0], [when, ...nodes].join("\n")).toBe(refusal);
    return workflow;
  }
}

interface Workflow {
  readonly status: { readonly phase: string; readonly nodes: Readonly<Record<string, Node>> };
}

interface Node {
  readonly type: string;
  readonly displayName: string;
  readonly phase: string;
  readonly message?: string;
}

async function live(life: Life, killed: (kill: () => void) => () => void, when: string): Promise<boolean> {
  try {
    const wasKilled = await life.run(killed);
    if (wasKilled) await life.endsWell(when);
    return wasKilled;
  } finally {
    await life.user.dispose();
  }
}

/** As many at once as make sense on two cores. */
async function sideBySide(job: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, job));
}

test("killed at writes of the store, from the first to the last", async () => {
  const writes = await writesOfARun();
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}: ${KILLS_AT_WRITES} kills among ${writes} writes`);
  expect(writes).toBeGreaterThan(KILLS_AT_WRITES);
  const width = writes / KILLS_AT_WRITES;
  const offsets = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { seed, numRuns: KILLS_AT_WRITES });
  const numbers = offsets.map((offset, index) => 1 + Math.floor((index + offset) * width));
  await sideBySide(async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const life = new Life();
      const killed = (kill: () => void): (() => void) => {
        const watch = new StoreWrites(life.user.home, (count) => count === number && kill());
        return () => watch.close();
      };
      await live(life, killed, `seed ${seed}, killed at write ${number} of ${writes}`);
    }
  });
});

/** Of a run that nobody kills. */
async function writesOfARun(): Promise<number> {
  const life = new Life();
  let writes = 0;
  const wasKilled = await live(
    life,
    () => {
      const watch = new StoreWrites(life.user.home, (count) => {
        writes = count;
      });
      return () => watch.close();
    },
    "",
  );
  expect(wasKilled).toBe(false);
  return writes;
}

test("killed at moments of no reason", async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const delays = fc.sample(fc.integer({ min: 0, max: 2500 }), { seed, numRuns: KILLS_BY_CHANCE });
  await sideBySide(async () => {
    for (let delay = delays.pop(); delay !== undefined; delay = delays.pop()) {
      const killed = (kill: () => void): (() => void) => {
        const timer = setTimeout(kill, delay);
        return () => clearTimeout(timer);
      };
      await live(new Life(), killed, `seed ${seed}, killed after ${delay} ms`);
    }
  });
});

test("killed between the start record and the start of the process: it is not started again", async () => {
  let begun = 0;
  for (let round = 0; round < RECORD_KILLS; round++) {
    const life = new Life(0);
    try {
      const killed = (kill: () => void): (() => void) => {
        void startRecord(life.user.home, 2).then(kill);
        return () => undefined;
      };
      expect(await life.run(killed)).toBe(true);
      const before = life.user.seen("starts");
      begun += before.length - 1;
      const resumed = await life.user.tiphys(["run", "--resume", "pair"]);
      expect(resumed.stderr).toMatch(
        /✖ two {2}pair\.yaml:\d+:\d+ {2}image busybox {2}lost with the process that ran it/,
      );
      expect(resumed.stderr.trimEnd().split("\n").at(-1)).toMatch(/repeat only that step +tiphys retry pair$/);
      expect(resumed.code).toBe(1);
      expect(life.user.seen("starts")).toEqual(before);
    } finally {
      await life.user.dispose();
    }
  }
  console.log(`${begun} of ${RECORD_KILLS} had begun`);
});
