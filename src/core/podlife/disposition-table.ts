/** The one table that says what is to become of a pod. The first row that fits decides; some row always fits. */

import type { Situation } from "./situation.js";

export type KeepReason =
  | "component"
  | "not-ours"
  | "owner-unproven"
  | "freed"
  | "node-lost"
  | "outcome-unsaved"
  | "await-workflow"
  | "done"
  | "ending"
  | "left-alone"
  | "running";

export type EndState =
  | { readonly kind: "keep"; readonly why: KeepReason }
  | { readonly kind: "end-containers" }
  | { readonly kind: "release"; readonly label: "completed" | "as-is" }
  | { readonly kind: "delete" };

export interface Row {
  readonly name: string;
  /** A choice, or several of which one must hold; what is not named may be anything. */
  readonly when: { readonly [Field in keyof Situation]?: Situation[Field] | readonly Situation[Field][] };
  readonly end: EndState;
}

const keep = (why: KeepReason): EndState => ({ kind: "keep", why });
const release: EndState = { kind: "release", label: "completed" };
const freeOnly: EndState = { kind: "release", label: "as-is" };
const deletePod: EndState = { kind: "delete" };
const endContainers: EndState = { kind: "end-containers" };

const terminating = ["asked", "overdue"] as const;
const alive = ["bound", "running", "leftovers"] as const;
const unwanted = ["saved", "superseded", "surplus"] as const;

export const dispositionTable: readonly Row[] = [
  // Agent and artifact GC pods are disposed of with what they serve (Argo 4.1 behaviour 5.8, 3.20).
  { name: "component", when: { component: "yes" }, end: keep("component") },
  // Someone else's pod: no owner, and nothing of ours on it.
  { name: "foreign", when: { owner: "none", finalizer: "off" }, end: keep("not-ours") },
  // Nothing ran and nothing will: there is no outcome to wait for (design 4; lessons A-27).
  {
    name: "deleted before it was bound",
    when: { life: "unbound", deletion: terminating, finalizer: "ours" },
    end: freeOnly,
  },
  // A cache that lags must not look like an orphan (lessons A-08).
  { name: "owner not proven", when: { owner: "unproven" }, end: keep("owner-unproven") },
  // Ours is off: what holds it now is the kubelet, or a finalizer of someone else's (design I4).
  { name: "freed", when: { deletion: terminating, finalizer: "off" }, end: keep("freed") },

  // The machine does not answer: save Error first, then let go (design 4; lessons A-22).
  {
    name: "node lost, not yet saved",
    when: { host: "lost", deletion: "overdue", life: alive, owner: "present", outcome: "unsaved" },
    end: keep("node-lost"),
  },
  { name: "node lost", when: { host: "lost", deletion: "overdue", life: alive }, end: release },

  // The outcome before the release (design 4; lessons A-17, G.3 14).
  {
    name: "ended, not yet saved",
    when: { life: "ended", owner: "present", outcome: "unsaved" },
    end: keep("outcome-unsaved"),
  },
  // A pod of an earlier run stands in the way of the new one's name (design 3, law 2; lessons A-30).
  {
    name: "not wanted, ended while being deleted",
    when: { life: "ended", owner: "present", outcome: ["superseded", "surplus"], deletion: terminating },
    end: freeOnly,
  },
  {
    name: "not wanted, ended",
    when: { life: "ended", owner: "present", outcome: ["superseded", "surplus"] },
    end: deletePod,
  },
  // Deleted from outside: freed as soon as its end is saved, without a further wait (lessons A-02).
  {
    name: "saved, being deleted",
    when: { life: "ended", owner: "present", outcome: "saved", deletion: terminating },
    end: release,
  },
  // podGC, by labels and saved facts, whatever the completed label says (lessons ).
  {
    name: "saved, due by podGC",
    when: { life: "ended", owner: "present", outcome: "saved", gc: "delete" },
    end: deletePod,
  },
  {
    name: "saved, podGC waits for the workflow",
    when: { life: "ended", owner: "present", outcome: "saved", gc: "await-workflow", finalizer: "ours" },
    end: freeOnly,
  },
  {
    name: "saved and freed, podGC waits for the workflow",
    when: { life: "ended", owner: "present", outcome: "saved", gc: "await-workflow" },
    end: keep("await-workflow"),
  },
  // Each finished pod is deleted or labelled; label and finalizer go in one write (lessons ).
  {
    name: "saved, retained",
    when: { life: "ended", owner: "present", outcome: "saved", finalizer: "ours" },
    end: release,
  },
  {
    name: "saved, retained without a finalizer",
    when: { life: "ended", owner: "present", outcome: "saved", label: "open" },
    end: release,
  },
  { name: "saved, all done", when: { life: "ended", owner: "present", outcome: "saved" }, end: keep("done") },
  // No workflow is left to save it in; one deleted in the foreground waits for us (design 4; lessons G.3 7, 15).
  {
    name: "ended, owner going or gone",
    when: { life: "ended", owner: ["deleting", "orphaning", "absent", "none"], finalizer: "ours" },
    end: release,
  },
  // A pod that stays behind is labelled as the others are (lessons G.3 15).
  {
    name: "ended, left behind without a finalizer",
    when: { life: "ended", owner: "orphaning", label: "open" },
    end: release,
  },
  { name: "ended, nothing left to do", when: { life: "ended" }, end: keep("done") },

  // The kubelet has been told; it ends what runs, however long the grace (lessons G.3 2, 3).
  { name: "being ended by the kubelet", when: { deletion: terminating, life: alive }, end: keep("ending") },
  // Without a workflow nobody wants it; waiting for "proven gone" would hold a foreground deletion for ever (design 4).
  { name: "owner going, never bound", when: { owner: ["deleting", "absent"], life: "unbound" }, end: deletePod },
  { name: "owner going", when: { owner: ["deleting", "absent"], life: alive }, end: endContainers },
  // Shutdown, deadline, timeout, end of a daemon, surplus: the node is settled, the pod is not (lessons A-27, G.3 2).
  {
    name: "settled, never bound",
    when: { owner: "present", outcome: unwanted, life: "unbound" },
    end: deletePod,
  },
  { name: "settled", when: { owner: "present", outcome: unwanted, life: alive }, end: endContainers },
  // Main has ended and its outputs are saved: what runs beside it is ended (Argo 4.1 behaviour 5.9).
  { name: "leftovers", when: { life: "leftovers" }, end: endContainers },
  // Orphaned on purpose: it runs to its end, and is freed then.
  { name: "left alone", when: { owner: ["orphaning", "none"] }, end: keep("left-alone") },
  { name: "at work", when: { owner: "present", outcome: "unsaved" }, end: keep("running") },
];

/** A row made ready: only what it names is compared, and it is compared for every update of every pod. */
interface ReadyRow {
  readonly row: Row;
  readonly conditions: readonly { readonly field: keyof Situation; readonly allowed: readonly string[] }[];
}

const readyRows: readonly ReadyRow[] = dispositionTable.map((row) => ({
  row,
  conditions: Object.entries(row.when).map(([field, wanted]) => ({
    field: field as keyof Situation,
    allowed: [wanted].flat(),
  })),
}));

/** The first row that fits; undefined would be a hole in the table. */
export function rowFor(situation: Situation): Row | undefined {
  for (const { row, conditions } of readyRows) if (fits(conditions, situation)) return row;
  return undefined;
}

function fits(conditions: ReadyRow["conditions"], situation: Situation): boolean {
  for (const { field, allowed } of conditions) if (!allowed.includes(situation[field])) return false;
  return true;
}
