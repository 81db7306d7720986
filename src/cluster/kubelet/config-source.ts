/** ConfigMaps and Secrets as containers and volumes use them: read live, and waited for where they are missing. */

import type { ConfigMap, Secret } from "../../core/model/kube/core.js";
import { configMaps, secrets } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import type { Chance, Clock } from "../../kube/clock.js";
import { isNotFound } from "../../kube/errors.js";
import { keyTextOf } from "../../kube/key.js";
import { Reflector } from "../../kube/reflector.js";

export type ConfigKind = "configmap" | "secret";

/** What a container or volume lacks; the message is Kubernetes' own. */
export interface MissingConfig {
  readonly kind: ConfigKind;
  readonly namespace: string;
  readonly name: string;
  readonly message: string;
}

/** File or variable name -> bytes. */
export type ConfigData = ReadonlyMap<string, Buffer>;

export class ConfigSource {
  readonly #client: Client;
  readonly #ports: { readonly clock: Clock; readonly chance: Chance };
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop = new AbortController();
  readonly #watched = new Set<ConfigKind>();
  #changes = 0;

  constructor(client: Client, ports: { readonly clock: Clock; readonly chance: Chance }) {
    this.#client = client;
    this.#ports = ports;
  }

  /** All keys of the object; undefined when there is none. Rejects when the API does not answer. */
  async read(kind: ConfigKind, namespace: string, name: string): Promise<ConfigData | undefined> {
    try {
      return kind === "configmap"
        ? configMapData(await this.#client.get<ConfigMap>(configMaps, { namespace, name }))
        : secretData(await this.#client.get<Secret>(secrets, { namespace, name }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Of everything that somebody ever waited for: taken before {@link read}, it tells {@link wait} what may have been missed. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Calls `onChange` once when the object appears or changes, at once where anything has changed `since` it was looked for:
   * that may have been it. Answers how to take that back.
   */
  wait(missing: MissingConfig, since: number, onChange: () => void): () => void {
    if (this.#changes !== since) {
      let isWanted = true;
      // Not before the caller has the answer.
      void Promise.resolve().then(() => isWanted && onChange());
      return () => {
        isWanted = false;
      };
    }
    const key = `${missing.kind}/${missing.namespace}/${missing.name}`;
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters);
    waiters.add(onChange);
    this.#watch(missing.kind);
    return () => {
      waiters.delete(onChange);
      if (waiters.size === 0 && this.#waiting.get(key) === waiters) this.#waiting.delete(key);
    };
  }

  /** Objects that somebody waits for. */
  get size(): number {
    return this.#waiting.size;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Only once somebody waits: most runs miss nothing. */
  #watch(kind: ConfigKind): void {
    if (this.#watched.has(kind)) return;
    this.#watched.add(kind);
    const type = kind === "configmap" ? configMaps : secrets;
    const reflector = new Reflector({ client: this.#client, type, ...this.#ports });
    reflector.addHandler({
      changed: (change) => {
        if (change.type === "deleted") return;
        this.#changes += 1;
        this.#tell(`${kind}/${keyTextOf(change.object)}`);
      },
    });
    void reflector.run(this.#stop.signal);
  }

  #tell(key: string): void {
    const waiters = this.#waiting.get(key);
    this.#waiting.delete(key);
    for (const onChange of waiters ?? []) onChange();
  }
}

function configMapData({ data = {}, binaryData = {} }: ConfigMap): ConfigData {
  return new Map([
    ...Object.entries(data).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...Object.entries(binaryData).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);
}

function secretData({ data = {}, stringData = {} }: Secret): ConfigData {
  return new Map([
    ...Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
    ...Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text)] as const),
  ]);
}
