/** Which UID a pod's name stood for, also when its object is gone: logs and files outlive it. */

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PodRef } from "../cli/ports.js";
import type { Pod } from "../core/model/kube/pod.js";

interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A file of the place, one line a pod; the newest of a name counts. */
export class PodNames {
  readonly #file: string;
  readonly #uids = new Map<string, string>();
  readonly #known = new Set<string>();

  constructor(placeFolder: string) {
    this.#file = join(placeFolder, "pods.ndjson");
    if (!existsSync(this.#file)) return;
    for (const line of readFileSync(this.#file, "utf8").split("\n")) this.#read(line);
  }

  /** Remembered before anything of the pod can be asked for. */
  add({ metadata: { namespace = "", name = "", uid = "" } }: Pod): void {
    if (this.#known.has(uid)) return;
    const entry: Entry = { namespace, name, uid };
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    this.#remember(entry);
  }

  uidOf({ namespace, name }: PodRef): string | undefined {
    return this.#uids.get(`${namespace}/${name}`);
  }

  /** A line torn by a crash is of a pod that never started. */
  #read(line: string): void {
    try {
      this.#remember(JSON.parse(line) as Entry);
    } catch {
      // The end of the file, or that torn line.
    }
  }

  #remember({ namespace, name, uid }: Entry): void {
    this.#known.add(uid);
    this.#uids.set(`${namespace}/${name}`, uid);
  }
}
