import { describe, expect, test } from "vitest";
import { dispositionTable, rowFor } from "./disposition-table.js";
import type { Situation } from "./situation.js";

type Choices = { readonly [Field in keyof Situation]: readonly Situation[Field][] };

const choices: Choices = {
  component: ["yes", "no"],
  life: ["unbound", "bound", "running", "leftovers", "ended"],
  deletion: ["none", "asked", "overdue"],
  finalizer: ["ours", "off"],
  label: ["completed", "open"],
  owner: ["present", "deleting", "orphaning", "absent", "none", "unproven"],
  outcome: ["unsaved", "saved", "superseded", "surplus"],
  host: ["there", "lost"],
  gc: ["retain", "await-workflow", "delete"],
};

/** Every situation there is. */
function* product(): Generator<Situation> {
  const fields = Object.entries(choices) as [keyof Situation, readonly string[]][];
  const sizes = fields.map(([, values]) => values.length);
  const total = sizes.reduce((all, size) => all * size, 1);
  for (let index = 0; index < total; index++) {
    let rest = index;
    const entries = fields.map(([field, values]) => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [field, value];
    });
    yield Object.fromEntries(entries) as Situation;
  }
}

const all = [...product()];

test("each of thousands of situations lands in exactly one of four end states", () => {
  expect(all.length).toBe(17_280);
  const ends = new Set(["keep", "end-containers", "release", "delete"]);
  const holes = all.filter((situation) => !ends.has(rowFor(situation)?.end.kind ?? "none"));
  expect(holes).toEqual([]);
});

test("every row decides somewhere, and each has a name of its own", () => {
  const used = new Set(all.map((situation) => rowFor(situation)?.name));
  expect(dispositionTable.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  expect(used.size).toBe(dispositionTable.length);
});

function offenders(rule: (situation: Situation, end: string) => boolean): Situation[] {
  return all.filter((situation) => rule(situation, rowFor(situation)?.end.kind ?? "none"));
}

describe("laws, over every situation", () => {
  test("an unsaved outcome is let go only if it never was bound, or its owner goes or is gone", () => {
    const found = offenders(
      ({ outcome, life, owner, component }, end) =>
        outcome === "unsaved" &&
        (end === "release" || end === "delete") &&
        !(life === "unbound" || ["deleting", "orphaning", "absent", "none"].includes(owner) || component === "yes"),
    );
    expect(found).toEqual([]);
  });

  test("a lost node's unsaved outcome is saved first", () => {
    const lost = all.filter(
      ({ host, deletion, life, owner, outcome, component, finalizer }) =>
        host === "lost" &&
        deletion === "overdue" &&
        ["bound", "running", "leftovers"].includes(life) &&
        owner === "present" &&
        outcome === "unsaved" &&
        component === "no" &&
        finalizer === "ours",
    );
    expect(lost.length).toBeGreaterThan(0);
    expect(new Set(lost.map((one) => rowFor(one)?.name))).toEqual(new Set(["node lost, not yet saved"]));
  });

  test("only what has ended, never began, or is lost is let go", () => {
    const found = offenders(
      ({ life, host, deletion }, end) =>
        (end === "release" || end === "delete") &&
        !(life === "ended" || life === "unbound" || (host === "lost" && deletion === "overdue")),
    );
    expect(found).toEqual([]);
  });

  test("containers are ended only where some may run, and nobody was told yet", () => {
    const found = offenders(
      ({ life, deletion }, end) =>
        end === "end-containers" && (life === "ended" || life === "unbound" || deletion !== "none"),
    );
    expect(found).toEqual([]);
  });

  test("a pod at work that is wanted is left at work", () => {
    const found = offenders(
      ({ owner, outcome, life, component }, end) =>
        component === "no" && owner === "present" && outcome === "unsaved" && life === "running" && end !== "keep",
    );
    expect(found).toEqual([]);
  });

  test("nothing is done on a view of the owner that proves nothing, but to a pod that never was bound", () => {
    const found = offenders(({ owner, life }, end) => owner === "unproven" && life !== "unbound" && end !== "keep");
    expect(found).toEqual([]);
  });

  test("a foreign pod is never touched", () => {
    expect(offenders(({ owner, finalizer }, end) => owner === "none" && finalizer === "off" && end !== "keep")).toEqual(
      [],
    );
  });
});

/** One round: the shell carries out the end state, or the world moves where the pod waits. */
function next(situation: Situation): Situation | "gone" {
  const row = rowFor(situation);
  const { end } = row ?? {};
  const terminating = situation.deletion !== "none";
  switch (end?.kind) {
    case "release":
      if (terminating) return "gone";
      return { ...situation, finalizer: "off", label: end.label === "completed" ? "completed" : situation.label };
    case "delete":
      return "gone";
    case "end-containers":
      return { ...situation, life: "ended" };
    case "keep":
      return worldMoves(situation, end.why);
    case undefined:
      throw new Error("a hole in the table");
  }
}

function worldMoves(situation: Situation, why: string): Situation | "gone" {
  switch (why) {
    case "freed":
      return "gone";
    case "owner-unproven":
      return { ...situation, owner: "absent" };
    case "node-lost":
    case "outcome-unsaved":
      return { ...situation, outcome: "saved" };
    case "await-workflow":
      return { ...situation, gc: "delete" };
    case "ending":
    case "left-alone":
    case "running":
      return { ...situation, life: "ended" };
    default:
      return situation;
  }
}

test("every pod of ours comes to rest: gone, or freed and left as it should be, in a few rounds", () => {
  for (const start of all) {
    if (start.component === "yes") continue;
    let now: Situation | "gone" = start;
    for (let round = 0; round < 8 && now !== "gone"; round++) now = next(now);
    if (now === "gone") continue;
    expect({ start, now: { ...now, rest: rowFor(now)?.end } }).toMatchObject({ now: { finalizer: "off" } });
    expect(next(now)).toEqual(now);
  }
});
