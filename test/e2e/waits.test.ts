/** What a pod waits for after its step: `tiphys get` says it, whatever keeps it. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Workflow } from "../../src/core/model/argo/workflow.js";
import type { Event } from "../../src/core/model/kube/core.js";
import { events, workflows } from "../../src/core/model/resources.js";
import type { Client } from "../../src/kube/client.js";
import { ask, podBecomes } from "./api.js";
import { User } from "./program.js";
import { refusingOwner } from "./refusing-owner.js";
import { scriptWorkflow, upWith } from "./up.js";

const POD = "/api/v1/namespaces/default/pods/stubborn";

let user: User;

beforeEach(() => {
  user = new User();
});
afterEach(() => user.dispose());

/** With the step at work; answers the place's socket. */
async function upRunning(script: string, graceSeconds?: number): Promise<string> {
  const file = user.file("stubborn.yaml", scriptWorkflow("stubborn", script, graceSeconds));
  return (await upWith(user, "stubborn", file)).socket;
}

async function shown(): Promise<string> {
  const { code, stdout } = await user.tiphys(["get", "stubborn"]);
  expect(code).toBe(0);
  return stdout;
}

test("for a finalizer of somebody else's", async () => {
  const socket = await upRunning("echo begun; sleep 600");
  const body = { metadata: { finalizers: ["example.com/hold", "workflows.argoproj.io/status"] } };
  expect(await ask(socket, { method: "PATCH", path: POD, body })).toMatchObject({ status: 200 });
  expect(await user.tiphys(["terminate", "stubborn"])).toMatchObject({ code: 0 });
  expect(await user.tiphys(["wait", "stubborn"])).toMatchObject({ code: 1 });
  await podBecomes(socket, ({ metadata }) => metadata.finalizers?.join() === "example.com/hold");
  await ask(socket, { method: "DELETE", path: POD });
  expect(await shown()).toMatch(/✖ stubborn .*pod waits for foreign finalizer example\.com\/hold/);
});

test("for the end of its grace", async () => {
  // Long enough for a machine of any speed to look in the middle of it.
  await upRunning("trap '' TERM; echo begun; while true; do sleep 1; done", 600);
  expect(await user.tiphys(["terminate", "stubborn"])).toMatchObject({ code: 0 });
  expect(await user.tiphys(["wait", "stubborn"])).toMatchObject({ code: 1 });
  const [, ago, left] = /pod signalled (\d+) s ago, killed in (\d+) s/.exec(await shown()) ?? [];
  expect(Number(ago) + Number(left)).toBe(600);
});

test("for an API that refuses", async () => {
  const owner = await refusingOwner(user.home, "the policy says no");
  try {
    await owner.client.create<Workflow>(workflows, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name: "stubborn", namespace: "default" },
      spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["sim"] } }] },
    });
    // From the ninth on they are half a minute apart, by the controller's own clock.
    const told = await until(owner.client, /: try 9: /);
    const kinds = told.map(({ involvedObject }) => involvedObject.kind);
    // Of the pod each try from the fifth on, of its workflow the fifth.
    expect(kinds).toEqual(["Pod", "Workflow", ...Array(4).fill("Pod")]);
    expect(told[1]).toMatchObject({ involvedObject: { kind: "Workflow", name: "stubborn" }, type: "Warning" });
    expect(await shown()).toMatch(/✔ stubborn .*pod API refuses \(403\): the policy says no, next try in [1-6]?\d s/);
  } finally {
    await owner.close();
  }
});

/** What the controller told of its failures, until one of them is of that kind. */
async function until(client: Client, last: RegExp): Promise<readonly Event[]> {
  const told: Event[] = [];
  for await (const event of client.watch<Event>(events, { resourceVersion: "1" })) {
    if (event.type === "BOOKMARK" || event.object.reason !== "PodCleanupFailed") continue;
    told.push(event.object);
    if (last.test(event.object.message ?? "")) return told;
  }
  return told;
}
