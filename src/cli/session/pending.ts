/** Pods that cannot start because something is missing: `run` waits for it a while, then ends with that reason. */

import type { Pod } from "../../core/model/kube/pod.js";
import type { Clock, Timer } from "../../kube/clock.js";
import { nodeIdOfPod, podNote, waitsForSlot } from "../print/pod-note.js";
import { stepKey } from "../workflow-key.js";

export interface PendingSink {
  /** A step begins to wait for something that is missing. */
  waits(reason: string, pod: Pod): void;
  /** It waited too long: why, and what each step (by its key) waits for now. */
  expired(reason: string, waiting: ReadonlyMap<string, string>): void;
}

interface Waiting {
  readonly timer: Timer;
  readonly step: string;
  note: string;
}

export class PendingWatch {
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;
  readonly #sink: PendingSink;
  /** By pod UID. */
  readonly #since = new Map<string, Waiting>();

  constructor(clock: Clock, timeoutMs: number | undefined, sink: PendingSink) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#sink = sink;
  }

  look(pods: readonly Pod[]): void {
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return;
    const waiting = new Set<string>();
    for (const pod of pods) {
      const uid = pod.metadata.uid ?? "";
      const note = missingNote(pod);
      if (note === undefined) continue;
      waiting.add(uid);
      const known = this.#since.get(uid);
      if (known !== undefined) {
        known.note = note;
        continue;
      }
      const timer = this.#clock.after(timeoutMs, () => this.#expire(uid));
      this.#since.set(uid, { note, timer, step: stepKey(pod.metadata.namespace ?? "", nodeIdOfPod(pod) ?? uid) });
      this.#sink.waits(note, pod);
    }
    for (const [uid, entry] of this.#since) {
      if (waiting.has(uid)) continue;
      entry.timer.cancel();
      this.#since.delete(uid);
    }
  }

  stop(): void {
    for (const entry of this.#since.values()) entry.timer.cancel();
    this.#since.clear();
  }

  #expire(uid: string): void {
    const entry = this.#since.get(uid);
    if (entry === undefined) return;
    const waiting = [...this.#since.values()].map(({ step, note }) => [step, note] as const);
    this.#sink.expired(entry.note, new Map(waiting));
  }
}

const MISSING = /not found|does not exist|no key|couldn't find|non-existent/i;

/** Reasons that stay until somebody does something about them. */
const REFUSED = new Set([
  "CreateContainerConfigError",
  "ErrImageNeverPull",
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
]);

/** What is missing; undefined for pods that wait for a slot, an image that is being pulled, or nothing. */
function missingNote(pod: Pod): string | undefined {
  if (pod.status?.phase !== "Pending" || waitsForSlot(pod)) return undefined;
  const states = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])];
  const refused = states.some((status) => REFUSED.has(status.state?.waiting?.reason ?? ""));
  const note = podNote(pod);
  return refused || MISSING.test(note) ? note : undefined;
}
