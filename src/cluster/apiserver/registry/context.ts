/** What every operation of the registry stands on. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { ResourceType } from "../../../core/model/resources.js";
import type { Chance, Clock } from "../../../kube/clock.js";
import type { Ledger } from "../storage/ledger.js";

/** Answers what is wrong with an object, each worded with its path; empty when it may be stored. */
export type Admission = (object: KubeObject) => readonly string[];

export interface RegistryContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly chance: Chance;
  /** By {@link collectionOf}. */
  readonly admission: ReadonlyMap<string, Admission>;
  /** Whether a namespace that does not exist is made when something is created in it. */
  readonly namespaces: "made-when-used" | "must-exist";
  /** The served type that `apiVersion` and `kind` name; undefined when there is none. */
  typeOf(apiVersion: string, kind: string): ResourceType | undefined;
}

/** Name of a type's collection in the log: `pods`, `workflows.argoproj.io`. */
export function collectionOf({ group, plural }: Pick<ResourceType, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Place of an object in its collection. */
export function pathOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}
