import { expect, test } from "vitest";
import type { Pod } from "../../core/model/kube/pod.js";
import { ApiError } from "../../kube/errors.js";
import { type Note, referenceTo } from "../../kube/events.js";
import { noPodCounts, PodTelling } from "./telling.js";

const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "wf-a-1",
    namespace: "argo",
    uid: "pod-1",
    ownerReferences: [
      { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid: "wf-1", controller: true },
    ],
  },
  spec: { containers: [] },
};

function told() {
  const notes: Note[] = [];
  const lines: string[] = [];
  const counts = { ...noPodCounts };
  const recorder = { record: (note: Note) => void notes.push(note) };
  return { telling: new PodTelling(recorder, (line) => void lines.push(line), counts), notes, lines, counts };
}

const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", namespace: "argo", name: "wf", uid: "wf-1" };

const refused = new ApiError(403, "Forbidden", "denied by policy");

test("the workflow is told the fifth failure in a row, and each time their number has doubled; all are counted", () => {
  const { telling, notes, lines, counts } = told();
  for (let failures = 1; failures <= 25; failures++) {
    telling.failed(pod, { key: "pod-1", error: refused, failures, retryMs: 1500 });
  }
  expect(lines.map((line) => /try (\d+)/.exec(line)?.[1])).toEqual(["5", "10", "20"]);
  expect(notes.filter(({ object }) => object.kind === "Workflow")).toHaveLength(3);
  // So that the last one is known: `tiphys get` shows it.
  expect(notes.filter(({ object }) => object.kind === "Pod")).toHaveLength(21);
  expect(counts).toEqual({ failedTries: 25, surplus: 0 });
});

test("events and line name pod, UID, attempt, refusal and next try; they stand on the pod and its workflow", () => {
  const { telling, notes, lines } = told();
  telling.failed(pod, { key: "pod-1", error: refused, failures: 5, retryMs: 1500 });
  const text = "pod wf-a-1 (pod-1): try 5: refused with 403: denied by policy; next in 2 s";
  expect(lines).toEqual([text]);
  const note = { type: "Warning", reason: "PodCleanupFailed", message: text };
  expect(notes).toEqual([
    { object: referenceTo(pod), ...note },
    { object: workflow, ...note },
  ]);
});

test("a pod without a workflow speaks for itself", () => {
  const { telling, notes, counts } = told();
  telling.surplus({ ...pod, metadata: { name: "lone", namespace: "argo", uid: "pod-2" } });
  expect(notes[0]?.object).toMatchObject({ kind: "Pod", name: "lone" });
  telling.failed({ ...pod, metadata: { name: "lone" } }, { key: "pod-2", error: refused, failures: 5, retryMs: 1500 });
  expect(notes).toHaveLength(2);
  expect(counts).toEqual({ failedTries: 1, surplus: 1 });
});
