/** Writes one pod's node name and status to the API: the newest wins, one write at a time, each with its precondition. */

import type { Pod, PodStatus } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import { jsonEquals } from "../../core/std/json.js";
import { plain } from "../../core/std/plain.js";
import type { Timer } from "../../kube/clock.js";
import { keyOf } from "../../kube/key.js";
import { isOlder } from "../../kube/revision.js";
import { updateOnConflict } from "../../kube/update.js";
import type { KubeletContext } from "./kubelet-context.js";
import { type Errand, endDeletion, untilDone } from "./until-done.js";

export type Urgency = "now" | "soon";

export class StatusWriter {
  readonly #context: KubeletContext;
  readonly #onGone: () => void;
  readonly #stopped = new AbortController();
  #pod: Pod;
  #wanted: PodStatus | undefined;
  #mustBind = false;
  #tellBound: (isOurs: boolean) => void = () => undefined;
  /** Resolves once the API says whether the pod is this node's: no container starts before, see {@link bind}. */
  readonly bound: Promise<boolean>;
  #isWriting = false;
  #written = Promise.resolve();
  #timer: Timer | undefined;
  #isGone = false;

  constructor(context: KubeletContext, pod: Pod, onGone: () => void) {
    this.#context = context;
    this.#pod = pod;
    this.#onGone = onGone;
    this.bound = new Promise((resolve) => {
      this.#tellBound = resolve;
    });
  }

  /** The newest version of the pod that is known: own writes are seen at once. */
  get pod(): Pod {
    return this.#pod;
  }

  saw(pod: Pod): void {
    const [known, seen] = [this.#pod.metadata.resourceVersion, pod.metadata.resourceVersion];
    if (known === undefined || seen === undefined || !isOlder(seen, known)) this.#pod = pod;
  }

  /**
   * Gives the pod to this node. A pod that is deleted before it has one is let go at once by whoever looks after it,
   * because nothing of it can have run: so it must be on record before anything runs, and deletion wins.
   */
  bind(): void {
    const { nodeName } = this.#pod.spec;
    if (nodeName !== undefined) {
      this.#tellBound(nodeName === this.#context.nodeName);
      return;
    }
    this.#mustBind = true;
    this.#write();
  }

  publish(status: PodStatus, urgency: Urgency): void {
    if (jsonEquals(status, this.#wanted ?? this.#pod.status ?? {})) return;
    this.#wanted = status;
    if (urgency === "now") this.#write();
    else this.#timer ??= this.#context.clock.after(this.#context.statusDelayMs, () => this.#write());
  }

  /** Resolves when everything published so far is written, or the pod is gone. */
  async flushed(): Promise<void> {
    if (this.#wanted !== undefined) this.#write();
    while (this.#isWriting) await this.#written;
  }

  /** Ends the pod's graceful deletion. */
  async delete(): Promise<void> {
    await endDeletion(this.#errand());
  }

  stop(): void {
    // Who waits for the binding waits for nothing any more.
    this.#tellBound(false);
    // With a reason: without one, an error with a stack would be made for each pod, and nobody reads it.
    this.#stopped.abort("the pod is done with");
    this.#timer?.cancel();
  }

  #write(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#written = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#isDue() && !this.#isGone && !this.#stopped.signal.aborted) {
      await untilDone(this.#errand(), () => (this.#mustBind ? this.#writeBinding() : this.#writeStatus()));
    }
    // In the moment in which nothing was found to be due: what is published right after it begins anew.
    this.#isWriting = false;
  }

  /** News that may wait is not written because something else was: it has its own time. */
  #isDue(): boolean {
    return this.#mustBind || (this.#wanted !== undefined && this.#timer === undefined);
  }

  async #writeBinding(): Promise<void> {
    const { nodeName } = this.#context;
    await this.#update((seen) =>
      seen.spec.nodeName === undefined && seen.metadata.deletionTimestamp === undefined
        ? { ...seen, spec: { ...seen.spec, nodeName } }
        : undefined,
    );
    this.#mustBind = false;
    this.#tellBound(this.#pod.spec.nodeName === nodeName);
  }

  async #writeStatus(): Promise<void> {
    const status = this.#wanted;
    if (status === undefined) return;
    await this.#update(
      (seen) => (jsonEquals(seen.status ?? {}, status) ? undefined : { ...plain, ...seen, status }),
      "status",
    );
    if (this.#wanted === status) this.#wanted = undefined;
  }

  async #update(decide: (seen: Pod) => Pod | undefined, subresource?: "status"): Promise<void> {
    const target = { type: pods, key: keyOf(this.#pod) };
    const options = { from: this.#pod, ...(subresource === undefined ? {} : { subresource }) };
    const result = await updateOnConflict<Pod>(this.#context.client, target, decide, options);
    if (result.outcome !== "gone") return this.saw(result.object);
    this.#isGone = true;
    this.#onGone();
  }

  #errand(): Errand {
    return { context: this.#context, pod: this.#pod, stopped: this.#stopped.signal };
  }
}
