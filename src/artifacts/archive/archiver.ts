/** Packs and unpacks: small things at once, large ones on a thread of their own, which the process does not wait for. */

import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { ArtifactError } from "../port.js";
import type { PackRequest, UnpackRequest } from "./format.js";
import type { ArchiveReply, ArchiveTask } from "./messages.js";
import { isSmallTree } from "./tree.js";

export interface ArchiverOptions {
  /** Script of the thread (worker.ts, bundled); left out: all is done on the calling thread. */
  readonly worker?: URL;
}

/** Both reject with {@link ArtifactError} and leave nothing half done. */
export interface Archiver {
  pack(request: PackRequest): Promise<void>;
  unpack(request: UnpackRequest): Promise<void>;
  /** Ends the thread; what it is at fails. */
  close(): Promise<void>;
}

/** Starting a thread costs as much as packing about so much. */
const SMALL_TREE_BYTES = 2 ** 20;
const SMALL_TREE_ENTRIES = 200;
/** What it grows to is not known. */
const SMALL_ARCHIVE_BYTES = 64 * 1024;

export function openArchiver({ worker }: ArchiverOptions): Archiver {
  const thread = worker === undefined ? undefined : new ArchiveThread(worker);
  return {
    pack: async (request) => {
      const here = thread === undefined || (await isSmallTree(request.source, SMALL_TREE_BYTES, SMALL_TREE_ENTRIES));
      return here ? (await thisThread()).packHere(request) : thread.ask({ kind: "pack", request });
    },
    unpack: async (request) => {
      const here = thread === undefined || (await stat(request.source)).size <= SMALL_ARCHIVE_BYTES;
      return here ? (await thisThread()).unpackHere(request) : thread.ask({ kind: "unpack", request });
    },
    close: () => thread?.close() ?? Promise.resolve(),
  };
}

/** The archive libraries, loaded when there is something to pack: most runs have nothing. */
function thisThread(): Promise<typeof import("./run.js")> {
  return import("./run.js");
}

interface Asked {
  readonly resolve: () => void;
  readonly reject: (error: ArtifactError) => void;
}

type Question = ArchiveTask extends infer Task ? (Task extends ArchiveTask ? Omit<Task, "id"> : never) : never;

class ArchiveThread {
  readonly #script: URL;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(script: URL) {
    this.#script = script;
  }

  ask(question: Question): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#asked.set(this.#lastId, { resolve, reject });
      const worker = this.#running();
      // The process stays for as long as something is asked.
      worker.ref();
      worker.postMessage({ ...question, id: this.#lastId } satisfies ArchiveTask);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#script, { name: "archive" });
    worker.on("message", (reply: ArchiveReply) => this.#answered(reply));
    worker.on("error", (error) => this.#failed(worker, error.message));
    worker.on("exit", () => this.#failed(worker, "the archive thread has ended"));
    this.#worker = worker;
    return worker;
  }

  #answered({ id, error }: ArchiveReply): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#worker?.unref();
    if (error === undefined) asked?.resolve();
    else asked?.reject(new ArtifactError(error.code, error.message));
  }

  /** The next question starts another thread. */
  #failed(worker: Worker, message: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#asked.values()) reject(new ArtifactError("failed", message));
    this.#asked.clear();
  }
}
