/** A log is asked for with Kubernetes' options: of the API on a place's socket, and by a program that does not own the place. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { askText } from "./api.js";
import { User } from "./program.js";
import { scriptWorkflow, upWith } from "./up.js";

const POD = "/api/v1/namespaces/default/pods/talk";

const notPrevious = 'previous terminated container \\"main\\" in pod \\"talk\\" not found';

let user: User;

beforeEach(() => {
  user = new User();
});
afterEach(() => user.dispose());

test("the API obeys each of them, or says what is wrong with it", async () => {
  const file = user.file("talk.yaml", scriptWorkflow("talk", "echo one; echo begun; echo three >&2; sleep 600"));
  const { socket } = await upWith(user, "talk", file);
  const log = (query: string) => askText(socket, { method: "GET", path: `${POD}/log${query}` });
  const said = async (query: string) => (await log(query)).text;
  // Of three containers main is the pod's default one. What it says to its second stream comes in its own time.
  while ((await said("?follow=false")).length < "one\nbegun\nthree\n".length);
  expect(await said("?container=main&stream=Stderr")).toBe("three\n");
  expect(await said("?stream=Stdout&follow=true&limitBytes=6")).toBe("one\nbe");
  expect(await said("?tailLines=1&limitBytes=3")).toHaveLength(3);
  expect(await said("?timestamps=true&limitBytes=30")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  expect(await said("?sinceSeconds=3600&stream=Stdout")).toBe("one\nbegun\n");
  expect(await said("?sinceTime=2200-01-01T00:00:00Z")).toBe("");
  expect(await log("?previous=true")).toMatchObject({ status: 400, text: expect.stringContaining(notPrevious) });
  expect(await log("?container=none")).toMatchObject({ status: 404 });
  expect(await log("?limitBytes=0")).toMatchObject({ status: 422 });
});

test("a pod that podGC took away has its log still, also for who does not own the place", async () => {
  user.file("gone.yaml", gone);
  const running = user.start(["run", "gone.yaml", "--runtime", "host", "--no-log", ...user.traced]);
  while (!(await user.tiphys(["logs", "gone"])).stdout.includes("second begun"));
  expect((await user.tiphys(["logs", "gone", "first"])).stdout).toMatch(/: first was here\n$/);
  user.file("shared/go", "");
  expect((await running.ended).code).toBe(0);
});

const gone = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: gone
spec:
  entrypoint: main
  podGC: { strategy: OnPodCompletion }
  templates:
    - name: main
      steps:
        - - { name: first, template: say }
        - - { name: second, template: wait }
    - name: say
      container: { image: busybox, command: [echo, first was here] }
    - name: wait
      container:
        image: busybox
        command: [sh, -c]
        args: ['echo second begun; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done']
`;
