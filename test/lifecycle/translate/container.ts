/** What a container of a case does, as a scripted outcome: from its command, its image, its place in the pod. */

import { defaultOutcome, type ScriptOutcome } from "../../../src/cluster/kubelet/index.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";
import { type ShellRun, translateShell, UntranslatedError } from "./shell.js";

/** An Argo pod asks for one exit code on SIGTERM; a shell that is pid 1 and says nothing ignores it. */
const SIGTERMED = 143;
const KILLED = 137;
/** When the node notices that a volume has grown too large. */
const EVICTION_AFTER_MS = 40_000;
const COMMAND_NOT_FOUND = 127;

/** Rejects with UntranslatedError what it does not know. */
export function translateContainer(pod: Pod, container: Container): ScriptOutcome {
  const start = startFailure(pod, container);
  if (start !== undefined) return { ...defaultOutcome, start };
  const script = scriptOf(pod, container);
  if (script === undefined) return { ...defaultOutcome, exitCode: COMMAND_NOT_FOUND };
  const run = translateShell(script);
  return { ...outcomeOf(run, pod, container), readyAfterMs: readyAfterMs(run, container) };
}

function outcomeOf(run: ShellRun, pod: Pod, container: Container): ScriptOutcome {
  const { durationMs, exitCode, stdout, onTerm } = run;
  const plain: ScriptOutcome = {
    ...defaultOutcome,
    durationMs,
    exitCode,
    stdout,
    files: { ...run.files, ...(typeof onTerm === "object" ? onTerm.files : {}) },
    onTerm: typeof onTerm === "object" ? onTerm.exitCode : (onTerm ?? termOf(pod, container)),
  };
  if (run.trouble === "memory") return outOfMemory(plain, container);
  if (run.trouble === "volume") return evicted(plain, pod);
  return plain;
}

/** The user's init containers and native sidecars have no executor in front of them that would pass a signal on. */
function termOf(pod: Pod, container: Container): number | "ignore" {
  return (pod.spec.initContainers ?? []).includes(container) ? "ignore" : SIGTERMED;
}

/** With little memory the kernel takes the shell as well as its child. */
function outOfMemory(plain: ScriptOutcome, { resources }: Container): ScriptOutcome {
  const takesAll = resources?.limits?.["memory"] === "64Mi";
  return { ...plain, reason: "OOMKilled", ...(takesAll ? { durationMs: 100, exitCode: KILLED } : {}) };
}

function evicted(plain: ScriptOutcome, { spec }: Pod): ScriptOutcome {
  const volume = spec.volumes?.find(({ emptyDir }) => emptyDir?.sizeLimit !== undefined);
  const message = `Usage of EmptyDir volume "${volume?.name}" exceeds the limit "${volume?.emptyDir?.sizeLimit}". `;
  return { ...plain, durationMs: EVICTION_AFTER_MS, pod: { reason: "Evicted", message } };
}

function startFailure(pod: Pod, container: Container): ScriptOutcome["start"] {
  const { image = "" } = container;
  if (image.includes("//")) return { reason: "InvalidImageName", message: `couldn't parse image name "${image}"` };
  if (image.startsWith("nosuch/")) {
    return container.imagePullPolicy === "Never"
      ? { reason: "ErrImageNeverPull", message: `Container image "${image}" is not present with pull policy of Never` }
      : { reason: "ErrImagePull", message: `image "${image}" not found` };
  }
  const isRefused = pod.spec.securityContext?.runAsNonRoot === true;
  const message = "container has runAsNonRoot and image will run as root";
  return isRefused ? { reason: "CreateContainerConfigError", message } : undefined;
}

/** The text a shell runs; undefined: a command that does not exist. */
function scriptOf(pod: Pod, { command = [], args = [], name }: Container): string | undefined {
  const words = [...command, ...args];
  const [program = "", ...rest] = words;
  if (program === "nosuchcommand") return undefined;
  if (program === "sleep") return words.join(" ");
  if (program !== "sh") throw new UntranslatedError(`the program ${JSON.stringify(program)} is not known here`);
  if (rest[0] === "-c") return rest[1] ?? "";
  return sourceOf(pod, name);
}

/** A script template's source lies in the pod's template. */
function sourceOf(pod: Pod, containerName: string): string {
  const variables = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap(({ env = [] }) => env);
  const text = variables.find(({ name }) => name === "ARGO_TEMPLATE")?.value ?? "{}";
  const template = JSON.parse(text) as { readonly script?: { readonly source: string } };
  if (template.script === undefined)
    throw new UntranslatedError(`container ${containerName} runs a shell without a script`);
  return template.script.source;
}

/** Of `exec: cat FILE`, when the file is there. */
function readyAfterMs(run: ShellRun, { readinessProbe }: Container): number {
  const [program, path = ""] = readinessProbe?.exec?.command ?? [];
  return program === "cat" ? (run.fileAtMs[path] ?? 0) : 0;
}
