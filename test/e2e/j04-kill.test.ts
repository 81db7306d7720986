/** J4: the process is killed at any moment; the run goes on where it was, and no attempt of a step is started twice. */

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type Account, accountsHere, mine } from "./accounts.js";
import { becomesEmpty } from "./processes.js";
import { type Ended, type Running, User } from "./program.js";
import { StoreWrites, startRecord } from "./store-watch.js";

/** Step 2 waits for a file when it runs for the first time: it can be killed in its middle, and ends when repeated. */
const three = (retryStrategy: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: three
spec:
  entrypoint: main
  onExit: bye
  templates:
    - name: main
      steps:
        - - name: one
            template: count
        - - name: two
            template: wait
        - - name: three
            template: count
    - name: count
      container:
        image: busybox
        command: [sh, -c, "echo {{pod.name}} >> $SEEN/starts; echo counted"]
    - name: wait${retryStrategy}
      container:
        image: busybox
        command:
          - sh
          - -c
          - |
            echo {{pod.name}} >> $SEEN/starts
            echo begun
            test -e $SEEN/second && exit
            touch $SEEN/second
            sleep 600
    - name: bye
      container:
        image: busybox
        command: [sh, -c, "echo bye {{workflow.status}}"]
`;

const RETRY = `
      retryStrategy:
        limit: 1
        retryPolicy: Always`;

/** More writes than such a run makes. */
const KILLS_MAX = 60;
const KILLS_BY_CHANCE = 8;
const RECORD_KILLS = 3;

let user: User;

afterEach(() => user.dispose());

function setUp(account: Account, yaml: string): void {
  user = new User(account);
  user.file("three.yaml", yaml);
}

function run(): Running {
  return user.start(["run", "three.yaml", "--runtime", "host", ...user.traced]);
}

function resume(): Promise<Ended> {
  return user.tiphys(["run", "--resume", "three"]);
}

/** Killed with -9, and nothing of it goes on by itself. */
async function kill(running: Running): Promise<void> {
  running.child.kill("SIGKILL");
  await running.exited;
  await becomesEmpty(() => user.leftovers());
}

/** `two-1234`: the pods that were really started, without the workflow's name. */
function starts(): readonly string[] {
  return user.seen("starts").map((pod) => pod.replace(/^three-/, ""));
}

describe.each(accountsHere())("in the middle of step 2 of 3, as $name", (account) => {
  test("without a retryStrategy it fails, and its last line repeats only that step", async () => {
    setUp(account, three(""));
    const first = run();
    await first.printed(/two │ begun/);
    expect(user.leftovers().filter((command) => command.includes("sleep 600"))).not.toEqual([]);
    await kill(first);

    const list = await user.tiphys(["list"]);
    expect(list.stdout).toMatch(/^three +Running .* its process is gone: tiphys run --resume three$/m);
    const suspended = await user.tiphys(["resume", "three"]);
    expect(suspended).toMatchObject({ code: 1, stdout: "" });
    expect(suspended.stderr).toBe("error: three is not suspended: its process is gone\n  tiphys run --resume three\n");

    const resumed = await resume();
    expect(resumed.code).toBe(1);
    expect(starts()).toEqual([expect.stringMatching(/^count-/), expect.stringMatching(/^wait-/)]);
    expect(resumed.stdout).toContain("onExit │ bye Failed\n");
    expect(resumed.stderr).toMatch(/^✖ two {2}image busybox {2}lost with the process that ran it$/m);
    const last = resumed.stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(last).toMatch(/^ {2}repeat only that step +tiphys retry three$/);
    const { stdout } = await user.tiphys(["get", "three"]);
    expect(stdout).toMatch(/^ ├───✔ one /m);
    expect(stdout).toMatch(/⚠ two .*lost with the process that ran it$/m);

    const again = await user.tiphys(last.slice(last.indexOf("tiphys retry")).split(" ").slice(1));
    expect(again.code).toBe(0);
    expect(starts().map((pod) => pod.split("-")[0])).toEqual(["count", "wait", "wait", "count"]);
    expect(again.stdout).toContain("onExit │ bye Succeeded\n");
  });

  test("with a retryStrategy step 2 is repeated, as a new attempt", async () => {
    setUp(account, three(RETRY));
    const first = run();
    await first.printed(/two │ begun/);
    await kill(first);
    const resumed = await resume();
    expect(resumed.stderr).toMatch(/^✔ three Succeeded \d+s · 3 tasks: 3 ✔ · 1 retry$/m);
    expect(resumed.code).toBe(0);
    expect(starts().map((pod) => pod.split("-")[0])).toEqual(["count", "wait", "wait", "count"]);
    expect(new Set(starts()).size).toBe(4);
    const { stdout } = await user.tiphys(["get", "three"]);
    expect(stdout).toMatch(/⚠ two\(0\) .*lost with the process that ran it$/m);
    expect(stdout).toMatch(/✔ two\(1\) /m);
  });
});

test("killed while it is taken up again: the next one takes it up", async () => {
  setUp(mine, three(RETRY));
  const first = run();
  await first.printed(/two │ begun/);
  await kill(first);
  const second = user.start(["run", "--resume", "three"]);
  await second.printed(/going on with three/);
  await kill(second);
  await endsWell(await resume());
});

/** Two steps that may be repeated, so that every run that is taken up again ends well. */
const two = three(RETRY).replace("sleep 600", "true");

test("killed at each write of the store", async () => {
  let writes = 0;
  for (let killAt = 1; killAt <= KILLS_MAX; killAt++) {
    setUp(mine, two);
    const first = run();
    const writing = new StoreWrites(user.home, (count) => count === killAt && first.child.kill("SIGKILL"));
    const { code } = await first.ended;
    writes = writing.close();
    await becomesEmpty(() => user.leftovers());
    if (code === 0) break;
    await endsWell(await resume());
    await user.dispose();
  }
  console.log(`killed at each of ${writes} writes seen`);
  expect(writes).toBeGreaterThan(5);
});

test("killed at moments of no reason", async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const delays = fc.sample(fc.integer({ min: 0, max: 2000 }), { seed, numRuns: KILLS_BY_CHANCE });
  for (const delay of delays) {
    setUp(mine, two);
    const first = run();
    const timer = setTimeout(() => first.child.kill("SIGKILL"), delay);
    await first.ended;
    clearTimeout(timer);
    await becomesEmpty(() => user.leftovers());
    await endsWell(await resume(), `seed ${seed}, killed after ${delay} ms`);
    await user.dispose();
  }
});

test("killed between the start record and the start of the process", async () => {
  let neverStarted = 0;
  for (let round = 0; round < RECORD_KILLS; round++) {
    setUp(mine, three(""));
    const first = run();
    await startRecord(user.home, 2);
    first.child.kill("SIGKILL");
    await first.exited;
    await becomesEmpty(() => user.leftovers());
    const begun = starts().length;
    const resumed = await resume();
    expect(resumed.stderr).toMatch(/✖ two {2}image busybox {2}lost with the process that ran it$/m);
    expect(resumed.code).toBe(1);
    expect(starts()).toHaveLength(begun);
    if (begun === 1) neverStarted += 1;
    await user.dispose();
  }
  console.log(`${neverStarted} of ${RECORD_KILLS} steps had not begun`);
});

/** Whatever was lost, it ends as if nothing had happened, and nothing was started twice. */
async function endsWell(resumed: Ended, when = ""): Promise<void> {
  expect(starts().length, when).toBe(new Set(starts()).size);
  const list = await user.tiphys(["list", "-o", "json"]);
  const [workflow] = JSON.parse(list.stdout) as readonly Workflow[];
  if (workflow === undefined) {
    // Killed before the workflow was there: nothing was started, and nothing is left to go on with.
    expect(resumed, when).toMatchObject({ code: 1, stderr: "error: no workflows here yet\n  tiphys run FILE\n" });
    expect(starts()).toEqual([]);
    return;
  }
  const isOver = "error: three has ended: Succeeded\n";
  expect(resumed.code === 0 || resumed.stderr.startsWith(isOver), `${when}\n${resumed.stderr}`).toBe(true);
  expect(workflow.status.phase, when).toBe("Succeeded");
  const pods = Object.values(workflow.status.nodes).filter(({ type }) => type === "Pod");
  for (const step of ["one", "two", "three", "onExit"]) {
    const attempts = pods.filter(({ displayName }) => displayName.replace(/^three\.|\(\d\)$/g, "") === step);
    expect(
      attempts.filter(({ phase }) => phase === "Succeeded"),
      `${when} ${step}`,
    ).toHaveLength(1);
  }
}

interface Workflow {
  readonly status: {
    readonly phase: string;
    readonly nodes: Readonly<
      Record<string, { readonly type: string; readonly displayName: string; readonly phase: string }>
    >;
  };
}
