/** The form of a recording of the real Argo controller, and where recordings are found. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadAll } from "js-yaml";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Outputs } from "../../../src/core/model/argo/template.js";
import type { Workflow, WorkflowCondition } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";

export interface Recording {
  readonly file: string;
  readonly name: string;
  readonly submitted: Workflow;
  readonly rejected?: { readonly code: number; readonly message: string };
  readonly phase: string;
  readonly message: string;
  readonly progress: string;
  readonly timedOut: boolean;
  readonly conditions?: readonly WorkflowCondition[];
  readonly outputs?: Outputs;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly nodes: readonly RecordedNode[];
  readonly storedTemplates?: readonly string[];
  readonly pods: readonly Pod[];
  readonly podOutcomes: readonly PodOutcome[];
  readonly actions?: readonly RecordedAction[];
  /** Two recordings differed here: only what both say can be compared. */
  readonly racy?: boolean;
  readonly racyDiff?: readonly { readonly path: string }[];
}

export type RecordedNode = Omit<NodeStatus, "boundaryID" | "children" | "outboundNodes"> & {
  readonly boundaryName?: string;
  readonly children?: readonly string[];
  readonly outboundNodes?: readonly string[];
};

/** What the fake pod did. */
export interface PodOutcome {
  readonly pod: string;
  readonly node: string;
  readonly template: string;
  readonly type: "pod" | "agent" | "agent-task";
  readonly attempt: number;
  readonly exitCode: number;
  readonly result?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly artifacts?: readonly string[];
  readonly message?: string;
  readonly podReason?: string;
  readonly podMessage?: string;
  readonly waitExit?: number;
  readonly initExit?: number;
  /** Go duration, whole seconds. */
  readonly duration?: string;
  readonly daemon?: boolean;
  /** Ended because the controller asked for it. */
  readonly signalled?: boolean;
}

export interface RecordedAction {
  readonly cmd: string;
  readonly rc: number;
}

/** One recording with the other objects that were there when it was made. */
export interface RecordedCase {
  /** `variants/continue-on` */
  readonly id: string;
  readonly recording: Recording;
  readonly world: readonly KubeObject[];
}

const packedFile = fileURLToPath(new URL("../recorded/recordings.json.gz", import.meta.url));

/** The recordings packed into this project: those of its own workflows. */
export function packedCases(): readonly RecordedCase[] {
  return JSON.parse(gunzipSync(readFileSync(packedFile)).toString("utf8")) as readonly RecordedCase[];
}

/** Writes them anew from a folder of recordings; only what a replay needs is kept. */
export function packCases(cases: readonly RecordedCase[]): void {
  mkdirSync(dirname(packedFile), { recursive: true });
  const slim = cases.map(({ id, recording, world }) => ({ id, recording: withoutPodSpecs(recording), world }));
  writeFileSync(packedFile, gzipSync(JSON.stringify(slim), { level: 9 }));
}

function withoutPodSpecs(recording: Recording): unknown {
  const { events: _e, podLifecycle: _p, ...rest } = recording as Recording & Record<string, unknown>;
  return { ...rest, pods: (recording.pods ?? []).map((pod) => ({ metadata: { name: pod.metadata.name } })) };
}

/** Recordings of Argo's own samples lie beside a checkout of this project, or nowhere. */
export function sampleRecordingsFolder(): string | undefined {
  const folder = fileURLToPath(new URL("../../../../shared/argo/runs/examples", import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

/**
 * All recordings of a folder (and folders below), or those whose name or file is among `names`. A folder without any of its
 * own is one of sets, each with its own name and world.
 */
export function readCases(folder: string, names: readonly string[] = []): readonly RecordedCase[] {
  const inside = readdirSync(folder, { withFileTypes: true });
  const isSet = inside.some((one) => one.isFile() && recordingIn(join(folder, one.name)) !== undefined);
  if (isSet) return readSet(folder, names);
  const folders = inside.filter((one) => one.isDirectory()).map((one) => join(folder, one.name));
  return folders.sort().flatMap((one) => readCases(one, names));
}

function readSet(folder: string, names: readonly string[]): readonly RecordedCase[] {
  const world = sampleWorld(folder);
  const cases: RecordedCase[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const recording = recordingIn(join(folder, file));
    const stem = file.slice(0, -".json".length);
    const id = `${basename(folder)}/${stem}`;
    if (recording === undefined || !isNamed(names, id, recording)) continue;
    cases.push({ id, recording, world: [...besides(join(folder, `${stem}.yaml`)), ...world] });
  }
  return cases;
}

function isNamed(names: readonly string[], id: string, { name }: Recording): boolean {
  return names.length === 0 || names.some((one) => one === name || id.endsWith(`/${one}`));
}

function recordingIn(file: string): Recording | undefined {
  if (!file.endsWith(".json")) return undefined;
  const content = JSON.parse(readFileSync(file, "utf8")) as Partial<Recording>;
  const isOne = content.submitted !== undefined && (content.nodes !== undefined || content.rejected !== undefined);
  return isOne ? (content as Recording) : undefined;
}

/** The documents of a recording's own file that are no Workflow. */
function besides(file: string): readonly KubeObject[] {
  return existsSync(file) ? documentsOf(file).filter((document) => document.kind !== "Workflow") : [];
}

/** Argo's samples were recorded with all of their templates, and a few config maps, in place. */
function sampleWorld(folder: string): readonly KubeObject[] {
  const samples = join(folder, "../../examples");
  if (basename(folder) !== "examples" || !existsSync(samples)) return [];
  const templates = readdirSync(samples, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) => documentsOf(join(samples, file)))
    .filter((document) => document.kind?.endsWith("WorkflowTemplate") || document.kind === "ConfigMap");
  return [...templates, myConfig, repositories];
}

const repositories = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "artifact-repositories", namespace: "argo" },
  data: {
    "my-key": [
      "archiveLogs: true",
      "s3:",
      "  bucket: my-bucket",
      "  endpoint: minio:9000",
      "  insecure: true",
      "  accessKeySecret: {name: my-minio-cred, key: accesskey}",
      "  secretKeySecret: {name: my-minio-cred, key: secretkey}",
    ].join("\n"),
  },
};

const myConfig = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "my-config", namespace: "argo", labels: { "workflows.argoproj.io/configmap-type": "Parameter" } },
  data: { workflow: "1", template: "1" },
};

function documentsOf(file: string): readonly KubeObject[] {
  const documents = loadAll(readFileSync(file, "utf8"), undefined, { json: true }) as (KubeObject | null)[];
  return documents.filter((document) => document !== null && typeof document === "object");
}
