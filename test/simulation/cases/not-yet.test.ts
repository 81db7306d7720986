/**
 * Cases of kinds that are not built. The support table says what is obeyed: on the day one of these fields is, its case
 * has to be a test here, and until then this file fails with the words of what to write.
 */

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readControllerConfig } from "../../../src/core/engine/controller-config.js";
import { supportOf } from "../../../src/core/model/support/lookup.js";

interface NotYet {
  readonly id: string;
  /** Begins the title of its test: `A-26 a container set …`. */
  readonly title: string;
  /** Of a Workflow. With any of them obeyed the test is due. */
  readonly fields: readonly string[];
  /** Likewise, of the controller's configuration. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly write: string;
}

const list: readonly NotYet[] = [
  {
    id: "A-07",
    title: "locks",
    fields: ["spec.synchronization", "spec.templates[0].synchronization"],
    write:
      "delete a workflow that holds a semaphore slot while the controller's watch is down; the gap in the relist counts " +
      "as its deletion: the slot is free for the next one, and a waiting workflow leaves the queue",
  },
  {
    id: "A-21",
    title: "agent",
    fields: ["spec.templates[0].http", "spec.templates[0].plugin"],
    write:
      "a second agent pod with the same labels and another UID: the one that was recorded is used, the other is told and " +
      "removed, no node hangs",
  },
  {
    id: "A-26",
    title: "a container set",
    fields: ["spec.templates[0].containerSet"],
    write:
      "three containers with retries, the pod object is removed after the first has finished: all its container nodes end",
  },
  {
    id: "A-28",
    title: "a resource",
    fields: ["spec.templates[0].resource"],
    write: "activeDeadlineSeconds: 5 on a resource that never succeeds: the node ends within the lost-timeout",
  },
  {
    id: "A-29",
    title: "a started workflow",
    fields: ["spec.priority"],
    settings: { parallelism: "1", namespaceParallelism: "1" },
    write:
      "parallelism 1 of the controller, the save of the start fails with a connection reset: the workflow keeps its slot " +
      "until a final phase is saved, it is never postponed, and none is freed twice",
  },
  {
    id: "A-31",
    title: "artifact GC",
    fields: ["spec.artifactGC", "spec.templates[0].outputs.artifacts[0].artifactGC"],
    write:
      "each variant of lessons A-31: the finalizer comes with the first artifact only, tries are bounded, force works in " +
      "each storage mode, one that fails blocks no sibling, a workflow without artifacts is deleted at once",
  },
  {
    id: "A-35",
    title: "memoized",
    fields: ["spec.templates[0].memoize"],
    write: "clean-up of pods whose workflow waits for a memo cache is not starved by reads of that cache",
  },
];

function isSettingObeyed(key: string, value: string): boolean {
  return readControllerConfig({ [key]: value }).problems.length === 0;
}

/** Titles of the tests in this folder. */
const titles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts") && name !== "not-yet.test.ts")
  .flatMap((name) => [...readFileSync(`${import.meta.dirname}/${name}`, "utf8").matchAll(/"(A-\d\d [^"]*)"/g)])
  .map(([, title = ""]) => title);

test.each(list.map((one) => [`${one.id} ${one.title}`, one] as const))(
  "%s: to be written once it is built",
  (begin, one) => {
    for (const field of one.fields) expect(supportOf("Workflow", field), `${field} is no field`).toBeDefined();
    const built = [
      ...one.fields.filter((field) => supportOf("Workflow", field)?.level === "obeyed"),
      ...Object.entries(one.settings ?? {}).flatMap(([key, value]) => (isSettingObeyed(key, value) ? [key] : [])),
    ];
    const isWritten = titles.some((title) => title.startsWith(begin));
    const due = built.length > 0 && !isWritten;
    if (due) expect.fail(`${built.join(", ")} is obeyed now: write a test "${begin} …" here: ${one.write}`);
    // What is written leaves the list.
    expect(isWritten && built.length > 0, `"${begin}" is a test: take it off this list`).toBe(false);
  },
);

test("every case of A-01 to A-36 is a test here, or stands on the list", () => {
  const ids = Array.from({ length: 36 }, (_, index) => `A-${String(index + 1).padStart(2, "0")}`);
  const missing = ids.filter(
    (id) => !titles.some((title) => title.startsWith(`${id} `)) && !list.some((one) => one.id === id),
  );
  expect(missing).toEqual([]);
});
