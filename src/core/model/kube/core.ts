/** The other built-in kinds that Tiphys reads or writes. */

import type { JsonObject } from "../../std/json.js";
import type { KubeObject } from "./meta.js";

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

/** `data` is base64; `stringData` is write-only text that the API folds into `data`. */
export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: "Active" | "Terminating"; readonly conditions?: readonly JsonObject[] };
}

export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly JsonObject[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly automountServiceAccountToken?: boolean;
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: "Normal" | "Warning";
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string | null;
  readonly action?: string;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly related?: ObjectReference;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
}

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
    readonly preferredHolder?: string;
    readonly strategy?: string;
  };
}
