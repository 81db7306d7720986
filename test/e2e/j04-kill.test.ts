/** J4: the process is killed at any moment; the run goes on where it was, and no attempt of a step is started twice. */

import { afterEach, describe, expect, test } from "vitest";
import { type Account, accountsHere, mine } from "./accounts.js";
import { becomesEmpty } from "./processes.js";
import { type Ended, type Running, User } from "./program.js";

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
            test -e $SEEN/second && exit
            touch $SEEN/second
            echo begun
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
    const waiting = user.tiphys(["wait", "three"]);
    const following = user.start(["logs", "-f", "three", "two"]);
    await following.printed(/: begun$/m);
    await kill(first);
    expect((await waiting).stderr).toMatch(/the process of three is gone: .*\n {2}tiphys run --resume three\n$/);
    expect((await following.ended).stderr).toContain("the process of three is gone: tiphys run --resume three\n");

    const list = await user.tiphys(["list"]);
    expect(list.stdout).toMatch(/^three +Lost .* its process is gone: tiphys run --resume three$/m);
    const got = await user.tiphys(["get", "three"]);
    expect(got.stdout).toMatch(/^Status: +Lost: its process is gone\nGo on with: +tiphys run --resume three$/m);
    const suspended = await user.tiphys(["resume", "three"]);
    expect(suspended).toMatchObject({ code: 1, stdout: "" });
    expect(suspended.stderr).toBe("error: three is not suspended: its process is gone\n  tiphys run --resume three\n");

    const resumed = await resume();
    expect(resumed.code).toBe(1);
    expect(starts()).toEqual([expect.stringMatching(/^count-/), expect.stringMatching(/^wait-/)]);
    expect(resumed.stdout).toContain("onExit │ bye Failed\n");
    expect(resumed.stderr).toMatch(/^✖ two {2}three.yaml:22:7 {2}image busybox {2}lost with the process that ran it$/m);
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
  setUp(mine, three(RETRY.replace("limit: 1", "limit: 2")));
  const first = run();
  await first.printed(/two │ begun/);
  await kill(first);
  const second = user.start(["run", "--resume", "three"]);
  await second.printed(/going on with three/);
  await kill(second);
  const third = await resume();
  // The second may have come to its end before it was killed.
  const isOver = third.stderr.startsWith("error: three has ended: Succeeded\n");
  expect(third.code === 0 || isOver, third.stderr).toBe(true);
  expect(starts().length).toBe(new Set(starts()).size);
});
