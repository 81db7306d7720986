/** J5: Ctrl-C once stops and runs the exit handler, twice terminates, three times leaves at once. Nothing is left running. */

import { afterEach, describe, expect, test } from "vitest";
import { type Account, accountsHere } from "./accounts.js";
import { becomesEmpty } from "./processes.js";
import { type Running, type Terminal, User } from "./program.js";

const CTRL_C = "\x03";

interface Steps {
  readonly work: string;
  readonly bye: string;
}

const sleeper = ({ work, bye }: Steps): string => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: sleeper
spec:
  entrypoint: main
  onExit: bye
  templates:
    - name: main
      dag:
        tasks:
          - name: work
            template: work
          - name: more
            template: work
          - name: later
            template: work
            dependencies: [work]
    - name: work
      container:
        image: busybox
        command: [sh, -c, ${JSON.stringify(work)}]
    - name: bye
      container:
        image: busybox
        command: [sh, -c, ${JSON.stringify(bye)}]
`;

/** Both tasks write that they are there, and then sleep. */
const obedient: Steps = {
  work: "echo here; sleep 600 & wait",
  bye: "echo bye {{workflow.status}} | tee -a $SEEN/log",
};
const slowGoodbye: Steps = { ...obedient, bye: "echo cleaning | tee -a $SEEN/log; sleep 600" };
/** Neither its steps nor its exit handler end when they are asked to. */
const stubborn: Steps = {
  work: "trap '' TERM INT HUP; echo here; while :; do sleep 1; done",
  bye: "trap '' TERM INT HUP; echo cleaning; while :; do sleep 1; done",
};

/** Who presses Ctrl-C again has seen what the first did; the same signal at once would be an echo. */
function aPersonReads(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}

let user: User;

afterEach(() => user.dispose());

function args(account: Account, steps: Steps): readonly string[] {
  user = new User(account);
  user.file("sleeper.yaml", sleeper(steps));
  return ["run", "sleeper.yaml", "--runtime", "host", ...user.traced];
}

async function onTerminal(account: Account, steps: Steps): Promise<Terminal> {
  const words = args(account, steps);
  const terminal = user.terminal(words, { columns: 80, rows: 30 });
  await terminal.shows(/work +│ here/);
  await terminal.shows(/more +│ here/);
  return terminal;
}

async function inPipe(account: Account, steps: Steps): Promise<Running> {
  const words = args(account, steps);
  const running = user.start(words);
  await running.printed(/work +│ here/);
  await running.printed(/more +│ here/);
  return running;
}

async function shutdown(): Promise<string | undefined> {
  const { stdout } = await user.tiphys(["get", "sleeper", "-o", "json"]);
  return (JSON.parse(stdout) as { spec: { shutdown?: string } }).spec.shutdown;
}

/** Of what the run started; what is asked is asked at once, not after a while. */
function expectNothingLeft(): void {
  expect(user.leftovers()).toEqual([]);
}

describe.each(accountsHere())("as $name", (account) => {
  test("once: the steps are stopped, what has not begun does not, the exit handler runs", async () => {
    const terminal = await onTerminal(account, obedient);
    expect(user.leftovers().filter((command) => command.includes("sleep 600")).length).toBeGreaterThan(0);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expectNothingLeft();
    expect(user.seen("log")).toEqual(["bye Failed"]);
    const lines = terminal.screen.text.replaceAll(/\b\d+s\b/g, "Ns").split("\n");
    expect(lines.slice(-8).map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      "sleeper  Failed Ns · host · pods 3 of 4 done",
      "├─✖ work  exit 143  Ns",
      "├─✖ more  exit 143  Ns",
      "├─– later  cannot run: work failed",
      "└─✔ onExit  bye  Ns",
      "✖ sleeper Failed Ns · 3 tasks: 2 ✖ 1 not run",
      "  Stopped with strategy 'Stop'",
      "  go on where it stopped  tiphys retry sleeper",
    ]);
    expect(await shutdown()).toBe("Stop");
  });

  test("twice: the exit handler is ended too", async () => {
    const terminal = await onTerminal(account, slowGoodbye);
    terminal.type(CTRL_C);
    await terminal.shows(/onExit +│ cleaning/);
    await terminal.shows(/^sleeper {2}Stopping \d+s · Ctrl-C again terminates · host/m);
    await aPersonReads();
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expectNothingLeft();
    expect(terminal.screen.text).toMatch(/^ {2}Stopped with strategy 'Terminate'$/m);
    expect(await shutdown()).toBe("Terminate");
  });

  test("three times: out at once, whatever the steps do; the run can be gone on with", async () => {
    const terminal = await onTerminal(account, stubborn);
    terminal.type(CTRL_C);
    await terminal.shows(/onExit +│ cleaning/);
    // Two at once, so that the second cannot end the run before the third comes; two of a kind would count as one.
    const before = performance.now();
    terminal.signal("SIGTERM");
    terminal.signal("SIGHUP");
    expect(await terminal.ended).toBe(130);
    // Long before the steps' grace period of 30 s.
    expect(performance.now() - before).toBeLessThan(10_000);
    await becomesEmpty(() => user.leftovers());
    const { stdout } = await user.tiphys(["list"]);
    // Whether the controller still ended it before it left is a matter of milliseconds; the last words know.
    expect(stdout).toMatch(/^sleeper +(Lost .*tiphys run --resume sleeper|Failed \(Terminated\) .*'Terminate')$/m);
    const goOn = /^sleeper +Lost/m.test(stdout) ? /tiphys run --resume sleeper$/ : /tiphys retry sleeper$/;
    expect(terminal.screen.text.split("\n").at(-1)).toMatch(goOn);
    const resumed = await user.tiphys(["run", "--resume", "sleeper", "--runtime", "host", "-q"]);
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toMatch(/✖ sleeper Failed|has ended: Failed \(Terminated\)\n {2}tiphys retry sleeper/);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("%s counts as Ctrl-C", async (signal) => {
    const running = await inPipe(account, obedient);
    running.child.kill(signal);
    await running.exited;
    expectNothingLeft();
    const { code, stderr } = await running.ended;
    expect(code).toBe(143);
    expect(stderr).toContain("stopping; a further signal does more\n");
    expect(user.seen("log")).toEqual(["bye Failed"]);
    expect(await shutdown()).toBe("Stop");
  });

  test("a terminal that is closed: nothing is left, and the run has ended in order", async () => {
    const terminal = await onTerminal(account, obedient);
    terminal.hangUp();
    await becomesEmpty(() => user.leftovers(), 20_000);
    // Closing the window sends one hang-up or two: they are one interrupt.
    expect(await shutdown()).toBe("Stop");
    expect((await user.tiphys(["list"])).stdout).toMatch(/^sleeper +Failed \(Terminated\)/m);
  });
});
