/** What each kind of template must be able to do. */

import type { NodeStatus } from "../../model/argo/node.js";
import type { At, Executed } from "../pass.js";

export interface Kind {
  /** First sight: the node of the call. */
  begin(at: At): NodeStatus;
  /** Children or pod have news, or the time has come: moves the node on and settles it when all is done. */
  proceed(at: At, node: NodeStatus): Executed;
  /** Adds the demands for what should exist now and was not seen. */
  wants(at: At, node: NodeStatus): Executed;
}

export function failWith(message: string, node: NodeStatus | undefined): Executed {
  return { node, stop: { kind: "error", message } };
}
