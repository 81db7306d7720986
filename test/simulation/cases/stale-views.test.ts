/** Views that lag, come again, or speak of another object: nothing is done twice, and nothing for the wrong one. */

import { expect, test } from "vitest";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { type ResourceType, workflows } from "../../../src/core/model/resources.js";
import type { Client, WatchEvent } from "../../../src/kube/client.js";
import type { Script } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import type { Mutant } from "../world/mutant.js";
import { hasEnded, type Stage, scene } from "./scene.js";

const gcAtOnce = { podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "0s" } } as const;

const two = workflow("wf", {
  entrypoint: "main",
  ...gcAtOnce,
  templates: [
    { name: "main", steps: [[{ name: "a", template: "a" }], [{ name: "b", template: "b" }]] },
    template("a", ["ms=500"]),
    template("b", ["ms=20000"]),
  ],
});

/** As it stood when `isThen` first held. */
function past(stage: Stage, isThen: (workflow: Workflow) => boolean): Workflow {
  for (const revision of stage.world.truth.revisions(workflows)) {
    const [then] = stage.world.truth.at(workflows, revision) as unknown as readonly Workflow[];
    if (then !== undefined && isThen(then)) return then;
  }
  return expect.fail("it never was so");
}

function phaseThen(workflow: Workflow, displayName: string): string | undefined {
  return Object.values(workflow.status?.nodes ?? {}).find((node) => node.displayName === displayName)?.phase;
}

test.each(["ADDED", "MODIFIED"] as const)(
  "A-09 after the end an older state is told again as %s: nothing runs again",
  async (type) => {
    let old: WatchEvent<Workflow> | undefined;
    const script: Script = {
      event: ({ process, type: of, event }) => {
        const isOurs = process.role === "controller" && of === workflows && old !== undefined;
        return isOurs && event.type === "MODIFIED" ? { kind: "followed-by", events: [old as never] } : undefined;
      },
    };
    await scene({ script }, async (stage) => {
      await stage.world.submit(two);
      await stage.until("b is begun", () => stage.node("b")?.phase === "Running");
      old = { type, object: past(stage, (then) => phaseThen(then, "a") === "Pending") };
      await stage.ended();
      await stage.operate("annotate");
      await stage.pass(60_000);
      expect(stage.phase()).toBe("Succeeded");
      expect(stage.startsOfMain()).toBe(2);
      expect(stage.pods()).toEqual([]);
    });
  },
);

/** After a restart the first list of workflows is of the past. */
function listingThePast(then: () => Workflow | undefined): Mutant {
  let isDone = false;
  return {
    name: "an old list after a restart",
    breaks: "the API: a list that was asked to be consistent is not",
    client: (client, _world, process) => ({
      ...client,
      list: (async (type: ResourceType, options) => {
        const list = await client.list(type, options);
        const old = then();
        if (type !== workflows || process.start !== 2 || old === undefined || isDone) return list;
        isDone = true;
        return { items: [old], resourceVersion: old.metadata.resourceVersion ?? "" };
      }) as Client["list"],
    }),
  };
}

test("A-09 a list of the past after a restart shows it Running: no pod is made for what is over", async () => {
  let old: Workflow | undefined;
  await scene({ mutant: listingThePast(() => old) }, async (stage) => {
    await stage.world.submit(two);
    await stage.ended();
    await stage.until("the pods are gone", () => stage.pods().length === 0);
    old = past(stage, (then) => phaseThen(then, "a") === "Pending");
    stage.world.crash("controller");
    await stage.pass(60_000);
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.startsOfMain()).toBe(2);
  });
});

test("A-09 the name is used again, and a retry goes on: neither is held up by the workflow that ended", async () => {
  const failing = workflow("wf", { entrypoint: "a", templates: [template("a", ["exit=1"])] });
  await scene({}, async (stage) => {
    await stage.world.submit(failing);
    await stage.ended();
    await stage.operate("retry");
    await stage.until("it ran again", () => stage.startsOfMain() === 2 && hasEnded(stage.phase()));
    await stage.deleteWorkflow();
    await stage.until("it is gone", () => stage.workflow() === undefined && stage.pods().length === 0);
    await stage.world.submit(failing);
    await stage.ended();
    expect(stage.startsOfMain()).toBe(3);
  });
});

test("A-10 a stale copy says Pending, the pod has run and is gone: it is not made again", async () => {
  let old: Workflow | undefined;
  await scene({ mutant: listingThePast(() => old) }, async (stage) => {
    await stage.world.submit(two);
    await stage.until("a's pod is gone, b runs", () => stage.node("b")?.phase === "Running");
    await stage.until("one pod is left", () => stage.pods().length === 1);
    old = past(stage, (then) => phaseThen(then, "a") === "Pending");
    stage.world.crash("controller");
    await stage.ended();
    if (stage.phase() !== "Succeeded") expect.fail(stage.world.history.print());
    expect(stage.startsOfMain()).toBe(2);
  });
});

test("A-10 events of workflows come so late that pods are gone before: each attempt starts once", async () => {
  const script: Script = {
    event: ({ process, type }) =>
      process.role === "controller" && type === workflows ? { kind: "late", ms: 3000 } : undefined,
  };
  const steps = Array.from({ length: 5 }, (_, index) => [{ name: `s${index}`, template: "a" }]);
  const many = workflow("wf", {
    entrypoint: "main",
    ...gcAtOnce,
    templates: [{ name: "main", steps }, template("a", ["ms=100"])],
  });
  await scene({ script }, async (stage) => {
    await stage.world.submit(many);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.startsOfMain()).toBe(5);
  });
});

test("A-11 200 short nodes, streams late and out of step with our writes: none is `pod deleted`", async () => {
  let events = 0;
  const script: Script = {
    event: ({ process }) => (process.role === "controller" ? { kind: "late", ms: (events++ * 7919) % 300 } : undefined),
  };
  const items = Array.from({ length: 200 }, (_, index) => index);
  const wide = workflow("wf", {
    entrypoint: "main",
    ...gcAtOnce,
    templates: [{ name: "main", steps: [[{ name: "s", template: "a", withItems: items }]] }, template("a", ["ms=50"])],
  });
  await scene({ script, latencyMaxMs: 20 }, async (stage) => {
    await stage.world.submit(wide);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    const nodes = Object.values(stage.workflow()?.status?.nodes ?? {});
    expect(nodes.filter(({ type, phase }) => type === "Pod" && phase === "Succeeded")).toHaveLength(200);
    expect(nodes.filter(({ message = "" }) => message.includes("pod deleted"))).toEqual([]);
    expect(stage.startsOfMain()).toBe(200);
  });
});

test("A-12 the workflow is replaced between read and save: nothing of the old one lands on the new one", async () => {
  let replaced = 0;
  const script: Script = {
    call: async ({ world, process, type, verb, body }) => {
      const isSave = process.role === "controller" && type === workflows && verb === "patch";
      if (!isSave || replaced > 0 || !JSON.stringify(body).includes("Succeeded")) return undefined;
      replaced++;
      const key = { namespace: "default", name: "wf" };
      await world.outside().delete(workflows, key, { propagationPolicy: "Background" });
      const other = { ...one("other"), metadata: { name: "wf", namespace: "default" } };
      await world.outside().create(workflows, other);
      return undefined;
    },
  };
  const one = (name: string): Workflow =>
    workflow("wf", {
      entrypoint: "main",
      templates: [{ name: "main", steps: [[{ name, template: "a" }]] }, template("a", ["ms=500"])],
    });
  await scene({ script }, async (stage) => {
    await stage.world.submit(one("first"));
    await stage.until("it was replaced", () => replaced === 1);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    const nodes = Object.values(stage.workflow()?.status?.nodes ?? {});
    expect(nodes.map(({ displayName }) => displayName).sort()).toEqual(["[0]", "other", "wf"]);
    const reachable = new Set(["wf", ...nodes.flatMap(({ children = [] }) => children)]);
    expect(nodes.filter(({ id }) => !reachable.has(id))).toEqual([]);
    expect(stage.refusals.filter(({ write }) => write.type === workflows).map(({ code }) => code)).toEqual([409]);
  });
});

test("A-13 someone writes the workflow before each of our saves: its pods are cleaned all the same", async () => {
  let saves = 0;
  const script: Script = {
    call: ({ process, type, verb }) => {
      if (process.role !== "controller" || type !== workflows || verb !== "patch") return undefined;
      return saves++ % 2 === 0 ? { kind: "foreign-write" } : undefined;
    },
  };
  const wide = workflow("wf", {
    entrypoint: "main",
    ...gcAtOnce,
    templates: [
      { name: "main", steps: [[{ name: "s", template: "a", withItems: [1, 2, 3, 4, 5] }]] },
      template("a", ["ms=500"]),
    ],
  });
  await scene({ script }, async (stage) => {
    await stage.world.submit(wide);
    await stage.ended();
    await stage.until("no pod is left", () => stage.pods().length === 0);
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.refusals.length).toBeGreaterThan(2);
    expect(stage.refusals.filter(({ code }) => code !== 409)).toEqual([]);
    expect(stage.startsOfMain()).toBe(5);
  });
});

test("A-13 the server stops the workflow while its end is being saved: pods are labelled and freed", async () => {
  let isStopped = false;
  const script: Script = {
    call: async ({ world, process, type, verb, body, key }) => {
      const isSave = process.role === "controller" && type === workflows && verb === "patch";
      if (!isSave || isStopped || key === undefined || !JSON.stringify(body).includes("Succeeded")) return undefined;
      isStopped = true;
      await world.outside().patch(workflows, key, { type: "merge", body: { spec: { shutdown: "Stop" } } });
      return undefined;
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=500"])] }));
    await stage.ended();
    await stage.until("the pod is free", () => stage.freed().length === 1);
    expect(stage.pod().metadata.labels?.["workflows.argoproj.io/completed"]).toBe("true");
    expect(stage.pod().metadata.annotations?.[annotations.nodeId]).toBe("wf");
  });
});

test("A-33 a hook outlives its step: the step does not start again", async () => {
  const hooked = workflow("wf", {
    entrypoint: "main",
    templates: [
      {
        name: "main",
        steps: [
          [
            {
              name: "a",
              template: "a",
              hooks: { running: { template: "hook", expression: 'steps.a.status == "Running"' } },
            },
          ],
        ],
      },
      template("a", ["ms=1000"], { retryStrategy: { limit: 3 } }),
      template("hook", ["ms=10000"]),
    ],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(hooked);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    const mains = stage.world.machine.starts.filter(({ container }) => container.args?.includes("ms=1000"));
    expect(mains).toHaveLength(1);
    expect(stage.startsOfMain()).toBe(2);
  });
});
