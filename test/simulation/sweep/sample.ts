/** Our own sample workflows as the sweep plays them: those of this folder, and those that users get. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptOutcome } from "../../../src/cluster/kubelet/index.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { decodeResource, type KnownByKind, type KnownResource, readDocuments } from "../../../src/core/model/index.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";
import type { WorkflowOperation } from "../faults/fault.js";
import { exampleOutcome } from "./examples.js";
import { UnknownError } from "./fault-at.js";

export interface Sample {
  readonly name: string;
  readonly workflow: Workflow;
  /** What the workflow refers to; there before it is. */
  readonly others: readonly KnownResource[];
  /** How it ends when nothing goes wrong. */
  readonly ends: string;
  /** What people do to it meanwhile. */
  readonly acts: readonly SampleAct[];
  /** Whether the executor writes files for it. */
  readonly files: "some" | "none";
  readonly outcomeOf?: (pod: Pod, container: Container) => ScriptOutcome | undefined;
}

export interface SampleAct {
  readonly ms: number;
  readonly operation: WorkflowOperation;
}

const own = new URL("./workflows/", import.meta.url);
const examples = new URL("../../../examples/", import.meta.url);

/** Says how a sample ends; left out: it succeeds. */
const ENDS = "tiphys.example/ends";
/** It ends so when a person deletes it while it runs. */
export const GONE = "gone";
/** `20s stop, 50s retry`. */
const ACTS = "tiphys.example/acts";

/** Parts of a template for which the executor writes files. */
const withFiles = /^\s*(- )?(script|artifacts|archiveLogs):/m;

/** All samples, or those of the names given. Throws {@link UnknownError} where there is none of a name. */
export function samples(names: readonly string[] = []): readonly Sample[] {
  const all = [...samplesIn(own), ...samplesIn(examples).map((sample) => ({ ...sample, outcomeOf: exampleOutcome }))];
  const known = new Map(all.map((sample) => [sample.name, sample]));
  const wanted = names.length === 0 ? [...known.keys()] : names;
  return wanted.map((name) => {
    const sample = known.get(name);
    if (sample === undefined)
      throw new UnknownError(`there is no sample ${name}; there are ${[...known.keys()].join(", ")}`);
    return sample;
  });
}

function samplesIn(folder: URL): readonly Sample[] {
  const files = readdirSync(fileURLToPath(folder)).filter((file) => file.endsWith(".yaml"));
  return files
    .sort()
    .map((file) => sampleOf(file.slice(0, -".yaml".length), readFileSync(new URL(file, folder), "utf8")));
}

function sampleOf(name: string, text: string): Sample {
  const { documents, problems } = readDocuments(text, `${name}.yaml`);
  const decoded = documents.map((document) => decodeResource(document));
  const faults = [...problems, ...decoded.flatMap((one) => one.problems)].filter(
    ({ severity }) => severity === "error",
  );
  if (faults.length > 0) throw new Error(`${name}: ${JSON.stringify(faults)}`);
  const objects = decoded.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const isWorkflow = (object: KnownResource): object is KnownByKind["Workflow"] => object.kind === "Workflow";
  const workflow = objects.find(isWorkflow);
  if (workflow === undefined) throw new Error(`${name} has no Workflow`);
  return {
    name,
    workflow: { ...workflow, metadata: { ...workflow.metadata, name, namespace: "default" } },
    others: objects.filter((object) => !isWorkflow(object)),
    ends: workflow.metadata.annotations?.[ENDS] ?? "Succeeded",
    acts: actsOf(workflow.metadata.annotations?.[ACTS] ?? ""),
    files: withFiles.test(text) ? "some" : "none",
  };
}

function actsOf(text: string): readonly SampleAct[] {
  return [...text.matchAll(/(\d+)s ([a-z-]+)/g)].map(([, seconds, operation]) => ({
    ms: Number(seconds) * 1000,
    operation: operation as WorkflowOperation,
  }));
}
