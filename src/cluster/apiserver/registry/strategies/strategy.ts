/** What differs from type to type; everything else about an object is the registry's. */

import type { KubeObject } from "../../../../core/model/kube/meta.js";

export interface Strategy {
  /** A new object, with what the server sets or folds. */
  readonly create?: (object: KubeObject) => KubeObject;
  /** A changed object, with what the server sets or keeps. */
  readonly update?: (object: KubeObject, before: KubeObject) => KubeObject;
  /** What is wrong, each worded with its path. */
  readonly faults?: (object: KubeObject, before: KubeObject | undefined) => readonly string[];
  /** Seconds between the request to delete and the removal, which someone else then asks for with 0. */
  readonly grace?: (object: KubeObject, asked: number | undefined) => number;
  /** Fields a field selector may name, beside metadata.name and metadata.namespace. */
  readonly selectable?: readonly string[];
}
