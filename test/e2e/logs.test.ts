/** `tiphys logs` of steps that print much: every line, in order, from a place that somebody owns and from one that nobody does. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

const LINES = 200_000;

const talk = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: talk
spec:
  entrypoint: main
  templates:
    - name: main
      container:
        image: busybox
        command: [sh, -c]
        args: ['seq 1 ${LINES}; echo all; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done; printf "no newline"']
`;

let user: User;

beforeEach(() => {
  user = new User();
  user.file("talk.yaml", talk);
});
afterEach(() => user.dispose());

test("of a step that runs, and again when all is over", async () => {
  const running = user.start(["run", "talk.yaml", "--runtime", "host", "--no-log", ...user.traced]);
  const numbers = Array.from({ length: LINES }, (_, index) => `talk: ${index + 1}\n`).join("");
  // The step's name is known to others once the run is.
  await running.printed(/runtime: host/);
  // Without -f it tells what there is, and ends.
  let last = "";
  while (last !== "talk: all\n") last = (await user.tiphys(["logs", "talk", "--tail", "1"])).stdout;
  const follower = user.start(["logs", "-f", "talk"]);
  await follower.printed(/talk: all\n$/);
  user.file("shared/go", "");
  expect((await follower.ended).stdout === `${numbers}talk: all\ntalk: no newline\n`).toBe(true);
  expect((await running.ended).code).toBe(0);

  const whole = await user.tiphys(["logs", "talk"]);
  expect(whole.stdout === `${numbers}talk: all\ntalk: no newline\n`).toBe(true);
  const timed = await user.tiphys(["logs", "talk", "--timestamps", "--tail", "3"]);
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z`;
  expect(timed.stdout).toMatch(new RegExp(`^talk: ${time} ${LINES}\ntalk: ${time} all\ntalk: ${time} no newline\n$`));
});
