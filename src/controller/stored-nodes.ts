/** Nodes as they are stored: in the status as they are, or, where the API would not take that, compressed as Argo does it. */

import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { NodeId, NodeStatus } from "../core/model/argo/node.js";
import type { Workflow } from "../core/model/argo/workflow.js";

/** What a few kilobytes may become at most: a small object must not fill the memory of who reads it. */
const EXPANDED_MAX_BYTES = 256 * 1024 * 1024;
const GZIP_MAGIC = 0x1f8b;

export function compressNodes(nodes: Iterable<NodeStatus>): string {
  const byId = Object.fromEntries([...nodes].map((node) => [node.id, node]));
  return gzipSync(JSON.stringify(byId)).toString("base64");
}

/** The same workflow with its nodes in place; as it is where they are, or where they cannot be read. */
export function withNodes<T extends Pick<Workflow, "status">>(workflow: T): T {
  const { status } = workflow;
  if (status?.compressedNodes === undefined || status.compressedNodes === "") return workflow;
  const nodes = expand(status.compressedNodes);
  return nodes === undefined ? workflow : { ...workflow, status: { ...status, nodes } };
}

/** Who does not know the nodes must not begin anew. */
export type KnownNodes =
  | { readonly kind: "known" }
  /** Nobody will ever know them. */
  | { readonly kind: "broken"; readonly why: string }
  /** Who has what it takes would. */
  | { readonly kind: "elsewhere"; readonly why: string };

/** Of a workflow as {@link withNodes} answers it. */
export function knownNodes({ status = {} }: Workflow): KnownNodes {
  const { nodes = {}, compressedNodes = "", offloadNodeStatusVersion: version = "" } = status;
  const isStoredHere = compressedNodes === "" && version === "";
  if (isStoredHere || Object.keys(nodes).length > 0) return { kind: "known" };
  if (compressedNodes !== "") return { kind: "broken", why: "its compressed nodes cannot be read" };
  return { kind: "elsewhere", why: `its nodes are kept in a database (version ${version}), and none is configured` };
}

function expand(text: string): Readonly<Record<NodeId, NodeStatus>> | undefined {
  try {
    const bytes = Buffer.from(text, "base64");
    // Argo compresses with gzip unless it was told otherwise, and knows what it reads by its first bytes.
    const decompress = bytes.readUInt16BE() === GZIP_MAGIC ? gunzipSync : brotliDecompressSync;
    const json: unknown = JSON.parse(decompress(bytes, { maxOutputLength: EXPANDED_MAX_BYTES }).toString());
    const isMap = typeof json === "object" && json !== null && !Array.isArray(json);
    return isMap ? (json as Readonly<Record<NodeId, NodeStatus>>) : undefined;
  } catch {
    return undefined;
  }
}
