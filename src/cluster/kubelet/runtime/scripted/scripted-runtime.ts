/** The driver `scripted`: containers that do what a script says, in the clock's time, without processes or files. */

import type { Container, Pod } from "../../../../core/model/kube/pod.js";
import type { Clock } from "../../../../kube/clock.js";
import type { PodHandle, PodSetup, Runtime } from "../port.js";
import { outcomeFor, type Script, type ScriptOutcome, type ScriptSubject } from "./script.js";
import { ScriptedPod } from "./scripted-pod.js";

/** How rules see a pod; attempt 0 for a node that is not retried. */
export type ScriptIdentity = Pick<ScriptSubject, "template" | "node" | "attempt">;

export interface ScriptedRuntimeOptions {
  readonly script: Script;
  readonly clock: Clock;
  /** Which node of which workflow a pod is, in the script's words. Left out: nothing but the pod's own name is known. */
  readonly identify?: (pod: Pod) => ScriptIdentity;
  /** Looked at before the script's rules; undefined: they decide. */
  readonly decide?: (pod: Pod, container: Container, subject: ScriptSubject) => ScriptOutcome | undefined;
  /** Their logs are written to the pods' folders when they end, so that they can be read when this process is gone. */
  readonly keepsLogs?: true;
}

const nobody: ScriptIdentity = { template: "", node: "", attempt: 0 };

export class ScriptedRuntime implements Runtime {
  readonly name = "scripted";
  readonly files = "none";
  readonly #options: ScriptedRuntimeOptions;
  readonly #invocations = new Map<string, number>();
  /** By UID: a pod that is opened again (its log is read, say) is the same one. */
  readonly #pods = new Map<string, ScriptedPod>();

  constructor(options: ScriptedRuntimeOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  openPod({ pod, folder }: PodSetup): Promise<PodHandle> {
    const uid = pod.metadata.uid ?? "";
    const known = this.#pods.get(uid);
    if (known !== undefined) return Promise.resolve(known);
    const opened = new ScriptedPod({
      clock: this.#options.clock,
      outcomeOf: (container) => this.#outcomeOf(pod, container),
      // What is on disk is found there again.
      ...(this.#options.keepsLogs === true && { keptIn: folder, removed: () => void this.#pods.delete(uid) }),
    });
    this.#pods.set(uid, opened);
    return Promise.resolve(opened);
  }

  close(): Promise<void> {
    for (const pod of this.#pods.values()) pod.close();
    return Promise.resolve();
  }

  #outcomeOf(pod: Pod, container: Container): ScriptOutcome {
    const { template, node, attempt } = this.#options.identify?.(pod) ?? nobody;
    const key = JSON.stringify([pod.metadata.namespace, template, node, container.name]);
    const invocation = this.#invocations.get(key) ?? 0;
    this.#invocations.set(key, invocation + 1);
    const subject = { template, node, attempt, invocation, pod: pod.metadata.name ?? "", container: container.name };
    return this.#options.decide?.(pod, container, subject) ?? outcomeFor(this.#options.script, subject);
  }
}
