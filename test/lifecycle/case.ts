/** The form of a lifecycle case (what was submitted to the real Argo, what was done to it, what became of it), and where cases are. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { NodeStatus } from "../../src/core/model/argo/node.js";
import type { Workflow } from "../../src/core/model/argo/workflow.js";

/** Times are seconds after the workflow was posted. */
export interface LifecycleCase {
  /** `lifecycle/evicted` */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly submitted: Workflow;
  readonly phase: string;
  readonly message: string;
  readonly rejected?: { readonly code: number; readonly message: string };
  readonly doneAt: number | null;
  readonly observedUntil: number;
  readonly workflowDeletedAt?: number | null;
  readonly nodes: readonly RecordedNode[];
  readonly pods: readonly RecordedPod[];
  readonly actions: readonly RecordedAction[];
}

export type RecordedNode = Pick<NodeStatus, "name" | "type" | "phase" | "message" | "outputs">;

export interface RecordedPod {
  readonly pod: string;
  /** Absent: not a pod of the workflow's nodes. */
  readonly node?: string;
  readonly createdAt: number;
  readonly runningAt?: number | null;
  readonly terminated: Readonly<Record<string, { readonly t: number; readonly state: string }>>;
  readonly final: string;
  readonly finalAt?: number | null;
  readonly labelledCompletedAt?: number | null;
  readonly deletedAt?: number | null;
  /** False where the controller's finalizer was switched off. */
  readonly hadFinalizer: boolean;
}

export interface RecordedAction {
  readonly t: number;
  readonly cmd?: string | readonly string[];
  /** `DOWN`, `UP`: of what the case is about. */
  readonly note?: string;
}

const packedFile = fileURLToPath(new URL("./recorded/cases.json.gz", import.meta.url));

/** The cases packed into this project. */
export function packedCases(): readonly LifecycleCase[] {
  return JSON.parse(gunzipSync(readFileSync(packedFile)).toString("utf8")) as readonly LifecycleCase[];
}

/** Writes them anew; only what a replay needs is kept. */
export function packCases(cases: readonly LifecycleCase[]): void {
  mkdirSync(dirname(packedFile), { recursive: true });
  writeFileSync(packedFile, gzipSync(JSON.stringify(cases), { level: 9 }));
}

/** The folders beside this project that the packed cases were taken from; none where they do not lie there. */
export function recordedFolders(): readonly string[] {
  return ["lifecycle", "lifecycle-nofinalizer"]
    .map((name) => fileURLToPath(new URL(`../../../shared/argo/${name}`, import.meta.url)))
    .filter((folder) => existsSync(folder));
}

/** All cases of a folder, or those among `names`. */
export function readCases(folder: string, names: readonly string[] = []): readonly LifecycleCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => readCase(folder, file))
    .filter((one) => names.length === 0 || names.includes(one.name));
}

function readCase(folder: string, file: string): LifecycleCase {
  const read = JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<LifecycleCase, "id">;
  const { name, about, submitted, rejected, doneAt = null, workflowDeletedAt } = read;
  return {
    id: `${basename(folder)}/${name}`,
    name,
    about,
    submitted,
    phase: read.phase ?? "",
    message: read.message ?? "",
    ...(rejected === undefined ? {} : { rejected }),
    doneAt,
    observedUntil: read.observedUntil ?? 0,
    ...(workflowDeletedAt === undefined ? {} : { workflowDeletedAt }),
    nodes: (read.nodes ?? []).map(({ name: node, type, phase, message, outputs }) => ({
      name: node,
      type,
      ...(phase === undefined ? {} : { phase }),
      ...(message === undefined ? {} : { message }),
      ...(outputs === undefined ? {} : { outputs }),
    })),
    pods: (read.pods ?? []).map(slimPod),
    actions: (read.actions ?? []).map(({ t, cmd, note }) => ({
      t,
      ...(cmd === undefined ? {} : { cmd }),
      ...(note === undefined ? {} : { note }),
    })),
  };
}

function slimPod(read: RecordedPod): RecordedPod {
  const { pod, node, createdAt, runningAt, terminated, final, finalAt, labelledCompletedAt, deletedAt, hadFinalizer } =
    read;
  return {
    pod,
    ...(node === undefined ? {} : { node }),
    createdAt,
    runningAt: runningAt ?? null,
    terminated: terminated ?? {},
    final,
    finalAt: finalAt ?? null,
    labelledCompletedAt: labelledCompletedAt ?? null,
    deletedAt: deletedAt ?? null,
    hadFinalizer,
  };
}
