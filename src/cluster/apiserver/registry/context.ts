/** What every operation of the registry stands on. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { ResourceType } from "../../../core/model/resources.js";
import type { Chance, Clock } from "../../../kube/clock.js";
import { typeName } from "../../../kube/key.js";
import type { Ledger } from "../storage/ledger.js";

/** Answers what is wrong with an object, each worded with its path; empty when it may be stored. */
export type Admission = (object: KubeObject) => readonly string[];

export interface RegistryContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly chance: Chance;
  /** By {@link typeName}, which also names the collections of the log. */
  readonly admission: ReadonlyMap<string, Admission>;
  /** Whether a namespace that does not exist is made when something is created in it. */
  readonly namespaces: "made-when-used" | "must-exist";
  /** The served type that `apiVersion` and `kind` name; undefined when there is none. */
  typeOf(apiVersion: string, kind: string): ResourceType | undefined;
}

/** Place of an object in its collection. */
export function pathOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}
