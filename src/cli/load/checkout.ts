/** Looks for template resources that were not given, in the git checkout around a file; reads, never adds. */

import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readDocuments } from "../../core/model/index.js";
import { manifestFiles } from "./sources.js";

export interface Definition {
  readonly file: string;
  readonly line: number;
}

const SIZE_MAX = 2 * 1024 * 1024;
const TEMPLATE = /kind:\s*["']?(?:Cluster)?WorkflowTemplate\b/;

/** `WorkflowTemplate/go-build` -> where it is defined, for those of `wanted` that the checkout has. */
export async function findInCheckout(
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Definition>> {
  const found = new Map<string, Definition>();
  if (wanted.size === 0) return found;
  const { files } = await manifestFiles(await checkoutRoot(folder));
  for (const file of files) {
    for (const [id, definition] of await definitionsIn(file)) {
      if (wanted.has(id) && !found.has(id)) found.set(id, definition);
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The nearest folder upwards that git knows; without one, the folder itself. */
async function checkoutRoot(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const git = await stat(join(at, ".git")).catch(() => undefined);
    if (git !== undefined) return at;
    if (dirname(at) === at) return folder;
  }
}

async function definitionsIn(file: string): Promise<readonly (readonly [string, Definition])[]> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile() || found.size > SIZE_MAX) return [];
  const text = await readFile(file, "utf8").catch(() => "");
  if (!TEMPLATE.test(text)) return [];
  return readDocuments(text, file)
    .documents.filter(({ kind }) => kind === "WorkflowTemplate" || kind === "ClusterWorkflowTemplate")
    .map((document) => {
      const line = document.keyPositionOf("apiVersion")?.line ?? 1;
      return [`${document.kind}/${document.name}`, { file, line }] as const;
    });
}
