/** Faults said by a case: it looks at each call and each event, and says which of them goes wrong, and how. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import type { ObjectKey, WatchEvent } from "../../../src/kube/client.js";
import type { DoneWrite, SentWrite, WriteVerb } from "../world/network.js";
import type { SimProcess } from "../world/process.js";
import type { World } from "../world/world.js";
import type { CallFault, EventFault } from "./fault.js";

export interface ScriptedCall {
  readonly world: World;
  readonly process: SimProcess;
  readonly at: "read" | "write";
  readonly type: ResourceType;
  /** Undefined: a list. */
  readonly key: ObjectKey | undefined;
  /** Of a write. */
  readonly verb: WriteVerb | undefined;
  readonly body: unknown;
}

export interface ScriptedEvent {
  readonly world: World;
  readonly process: SimProcess;
  readonly type: ResourceType;
  readonly event: Exclude<WatchEvent<KubeObject>, { readonly type: "BOOKMARK" }>;
}

export interface Script {
  /** Asked before the call leaves; what it does meanwhile comes between the caller's read and its write. */
  call?(call: ScriptedCall): CallFault | undefined | Promise<CallFault | undefined>;
  event?(event: ScriptedEvent): EventFault | undefined;
  /** Told of what became of each write; events and leases left out. */
  committed?(write: DoneWrite): void;
  refused?(write: SentWrite, error: unknown): void;
}
