import { expect, test } from "vitest";
import type { Pod } from "../../core/model/kube/pod.js";
import { ApiError } from "../../kube/errors.js";
import type { Note } from "../../kube/events.js";
import { PodTelling } from "./telling.js";

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

function told(): { readonly telling: PodTelling; readonly notes: Note[]; readonly lines: string[] } {
  const [notes, lines]: [Note[], string[]] = [[], []];
  return {
    telling: new PodTelling({ record: (note) => void notes.push(note) }, (line) => void lines.push(line)),
    notes,
    lines,
  };
}

const refused = new ApiError(403, "Forbidden", "denied by policy");

test("the fifth failure in a row is told, and each time their number has doubled; all are counted", () => {
  const { telling, notes, lines } = told();
  for (let failures = 1; failures <= 25; failures++) {
    telling.failed(pod, { key: "pod-1", error: refused, failures, retryMs: 1500 });
  }
  expect(lines.map((line) => /try (\d+)/.exec(line)?.[1])).toEqual(["5", "10", "20"]);
  expect(notes).toHaveLength(3);
  expect(telling.counts).toEqual({ failedTries: 25, surplus: 0 });
});

test("event and line name pod, UID, attempt, refusal and next try; the event stands on the workflow", () => {
  const { telling, notes, lines } = told();
  telling.failed(pod, { key: "pod-1", error: refused, failures: 5, retryMs: 1500 });
  const text = "pod wf-a-1 (pod-1): try 5: refused with 403: denied by policy; next in 2 s";
  expect(lines).toEqual([text]);
  expect(notes).toEqual([
    {
      object: { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", namespace: "argo", name: "wf", uid: "wf-1" },
      type: "Warning",
      reason: "PodCleanupFailed",
      message: text,
    },
  ]);
});

test("a pod without a workflow speaks for itself", () => {
  const { telling, notes } = told();
  telling.surplus({ ...pod, metadata: { name: "lone", namespace: "argo", uid: "pod-2" } });
  expect(notes[0]?.object).toMatchObject({ kind: "Pod", name: "lone" });
  expect(telling.counts).toEqual({ failedTries: 0, surplus: 1 });
});
