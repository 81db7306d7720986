/** J3: runs in one folder at the same time know nothing of one another. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

const gate = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: gate
spec:
  entrypoint: main
  arguments:
    parameters:
      - name: who
  templates:
    - name: main
      steps:
        - - name: ask
            template: ask
        - - name: say
            template: say
    - name: ask
      suspend: {}
    - name: say
      container:
        image: busybox
        command: [sh, -c, "echo {{workflow.parameters.who}} | tee -a $SEEN/log"]
`;

const chain = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: chain-
spec:
  entrypoint: main
  arguments:
    parameters:
      - name: who
  templates:
    - name: main
      steps:
        - - name: make
            template: make
        - - name: show
            template: show
            arguments:
              artifacts:
                - name: made
                  from: "{{steps.make.outputs.artifacts.made}}"
    - name: make
      container:
        image: busybox
        command: [sh, -c, "echo {{workflow.parameters.who}} > /tmp/made"]
      outputs:
        artifacts:
          - name: made
            path: /tmp/made
    - name: show
      inputs:
        artifacts:
          - name: made
            path: /tmp/made
      container:
        image: busybox
        command: [cat, /tmp/made]
`;

let user: User;

beforeEach(() => {
  user = new User();
});
afterEach(() => user.dispose());

interface Row {
  readonly metadata: { readonly uid: string; readonly name: string };
  readonly status: { readonly phase: string };
}

async function listed(): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await user.tiphys(["list", "-o", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as readonly Row[];
}

test("two of one name: both run, each is steered by itself, the newest answers to the name", async () => {
  user.file("gate.yaml", gate);
  const start = (who: string) =>
    user.start(["run", "gate.yaml", "--runtime", "host", "-p", `who=${who}`, ...user.traced]);
  const first = start("first");
  await first.printed(/ǁ ask waits/);
  const [firstRow] = await listed();
  const second = start("second");
  await second.printed(/ǁ ask waits/);
  const both = await listed();
  expect(both.map(({ metadata, status }) => `${metadata.name} ${status.phase}`)).toEqual([
    "gate Running",
    "gate Running",
  ]);

  expect((await user.tiphys(["resume", firstRow?.metadata.uid ?? ""])).code).toBe(0);
  const firstEnd = await first.ended;
  expect(firstEnd.stdout).toMatch(/^say │ first\n/);
  expect(firstEnd.code).toBe(0);
  expect((await listed()).map(({ status }) => status.phase).sort()).toEqual(["Running", "Succeeded"]);

  expect((await user.tiphys(["resume", "gate"])).code).toBe(0);
  const secondEnd = await second.ended;
  expect(secondEnd.stdout).toMatch(/^say │ second\n/);
  expect(secondEnd.code).toBe(0);
  expect(user.seen("log")).toEqual(["first", "second"]);
  expect(user.leftovers()).toEqual([]);
});

test("ten at once: each ends well with its own output, in a place of its own", async () => {
  user.file("chain.yaml", chain);
  const names = Array.from({ length: 10 }, (_, index) => `number-${index}`);
  const ends = await Promise.all(
    names.map((who) => user.tiphys(["run", "chain.yaml", "--runtime", "host", "-p", `who=${who}`])),
  );
  expect(ends.map(({ code, stdout }) => `${code} ${stdout}`)).toEqual(names.map((who) => `0 show │ ${who}\n`));
  const rows = await listed();
  expect(rows.map(({ status }) => status.phase)).toEqual(names.map(() => "Succeeded"));
  expect(new Set(rows.map(({ metadata }) => metadata.uid)).size).toBe(10);
  expect(user.leftovers()).toEqual([]);
});
