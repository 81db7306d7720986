/** Argo's samples that must succeed, and what a real node made of them; both lie beside a checkout, or nowhere. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outputs } from "../../src/core/model/argo/template.js";
import type { WorkflowCondition } from "../../src/core/model/argo/workflow.js";
import type { RecordedNode } from "../conformance/replay/recording.js";

/** One sample as the real controller and a real kubelet ran it. */
export interface SampleRecording {
  /** Name of the workflow, and of the sample. */
  readonly name: string;
  /** Of the manifest, below the samples' folder. */
  readonly file: string;
  readonly phase: string;
  readonly message: string;
  readonly progress?: string;
  readonly conditions?: readonly WorkflowCondition[];
  readonly outputs?: Outputs;
  readonly labels?: Readonly<Record<string, string>>;
  readonly nodes: readonly RecordedNode[];
  /** `POD/CONTAINER` -> what it wrote, both streams as they came. */
  readonly logs?: Readonly<Record<string, string>>;
}

export interface Samples {
  /** Folder of the manifests. */
  readonly manifests: string;
  readonly recordings: readonly SampleRecording[];
}

/** Undefined where they do not lie beside this project; `names` keeps those with that name or file. */
export function findSamples(names: readonly string[] = []): Samples | undefined {
  const argo = fileURLToPath(new URL("../../../shared/argo", import.meta.url));
  const manifests = join(argo, "examples");
  const folder = join(argo, "samples");
  if (!existsSync(manifests) || !existsSync(folder)) return undefined;
  const recordings = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as SampleRecording)
    .filter(({ name, file }) => names.length === 0 || names.includes(name) || names.includes(file));
  return { manifests, recordings };
}
