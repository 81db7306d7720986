/** Nonsense on one object harms no other. */

import { expect, test } from "vitest";
import { annotations, labels } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { pods, workflows, workflowTemplates } from "../../../src/core/model/resources.js";
import { pod as template, workflow } from "../generate/builder.js";
import { isRunning, scene } from "./scene.js";

const texts = [
  "",
  "true",
  "-1",
  "1e9",
  "99999999999999999999",
  "{",
  "null",
  "a/b/c",
  "2024-13-45",
  "\u2028ü",
  "x".repeat(5000),
];

const good = workflow("good", {
  entrypoint: "main",
  podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "1s" },
  templates: [
    { name: "main", steps: [[{ name: "a", template: "a" }], [{ name: "b", template: "a" }]] },
    template("a", ["ms=1000"]),
  ],
});

async function refusedOrDone(act: Promise<unknown>): Promise<void> {
  await act.catch(() => undefined);
}

test.each(texts.map((text) => [JSON.stringify(text.slice(0, 20)), text] as const))(
  "A-34 every label and annotation that we read says %s: the workflow beside it finishes in time",
  async (_, text) => {
    await scene({}, async (stage) => {
      const outside = stage.world.outside();
      await stage.world.submit({ ...good, metadata: { name: "bad", namespace: "default" } });
      await stage.running();
      const bad = stage.pods().filter(isRunning);
      // As an annotation anything is taken; as a label only what Kubernetes allows there.
      const notes = Object.fromEntries(
        Object.values(annotations)
          .map((name) => [name, text])
          .filter(([name]) => name !== annotations.nodeId),
      );
      const marks = Object.fromEntries(Object.values(labels).map((name) => [name, text]));
      for (const { metadata } of bad) {
        const key = { namespace: "default", name: metadata.name ?? "" };
        const patch = (change: object): Promise<unknown> =>
          outside.patch(pods, key, { type: "merge", body: { metadata: change } as never });
        await refusedOrDone(patch({ annotations: notes }));
        await refusedOrDone(patch({ labels: { ...marks, [labels.component]: null } }));
      }
      const key = { namespace: "default", name: "bad" };
      await refusedOrDone(
        outside.patch(workflows, key, { type: "merge", body: { metadata: { annotations: notes } } as never }),
      );
      await stage.world.submit(good);
      await stage.until("the good one has succeeded", () => stage.phase("good") === "Succeeded", 10_000);
      await stage.until(
        "its pods are gone",
        () => stage.pods().every(({ metadata }) => metadata.name?.startsWith("bad")),
        10_000,
      );
    });
  },
);

const specs: readonly unknown[] = [
  {},
  { entrypoint: "nowhere" },
  { entrypoint: 7, templates: "none" },
  { entrypoint: "a", templates: [null] },
  { entrypoint: "a", templates: [{ name: "a", steps: {} }] },
  { entrypoint: "a", templates: [{ name: "a", container: { image: 3, args: "x" } }], podGC: "always" },
  { entrypoint: "a", templates: [{ name: "a", dag: { tasks: [{ name: "a", depends: "a" }] } }] },
];

test.each(specs.map((spec) => [JSON.stringify(spec), spec] as const))(
  "A-34 a workflow whose spec is %s: it ends or waits, and the one beside it finishes in time",
  async (_, spec) => {
    await scene({}, async (stage) => {
      await refusedOrDone(
        stage.world.outside().create(workflows, {
          apiVersion: "argoproj.io/v1alpha1",
          kind: "Workflow",
          metadata: { name: "bad", namespace: "default" },
          spec,
        } as Workflow),
      );
      await stage.world.submit(good);
      await stage.until("the good one has succeeded", () => stage.phase("good") === "Succeeded", 10_000);
      expect(stage.startsOfMain()).toBe(2);
    });
  },
);

test("A-34 a workflow template that cannot be read: who names it fails with its words, the one beside it finishes", async () => {
  const template = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "odd", namespace: "default" },
    spec: { templates: "none" },
  };
  const byRef = {
    entrypoint: "a",
    templates: [{ name: "a", steps: [[{ name: "b", templateRef: { name: "odd", template: "x" } }]] }],
  };
  await scene({}, async (stage) => {
    await stage.world.outside().create(workflowTemplates, template);
    await stage.world.submit(workflow("bad", { workflowTemplateRef: { name: "odd" } }));
    await stage.world.submit(workflow("worse", byRef as never));
    await stage.world.submit(good);
    await stage.until("the good one has succeeded", () => stage.phase("good") === "Succeeded", 10_000);
    for (const name of ["bad", "worse"]) {
      await stage.ended(name);
      expect(["Failed", "Error"]).toContain(stage.phase(name));
      expect(stage.workflow(name)?.status?.message).toContain(name === "bad" ? "spec.templates" : "odd");
    }
  });
});
