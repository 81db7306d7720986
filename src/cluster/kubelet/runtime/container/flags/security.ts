/** The parts of a security context that a container program understands, as flags. */

import type { Container, PodSpec } from "../../../../../core/model/kube/pod.js";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../../../core/std/json.js";
import type { ContainerProgram } from "../program.js";

/** The container's own settings go before the pod's. */
export function securityFlags(spec: PodSpec, container: Container, program: ContainerProgram): readonly string[] {
  const pod = spec.securityContext ?? {};
  const own = container.securityContext ?? {};
  const both: JsonObject = { ...pod, ...own };
  return [
    ...userFlags(both),
    ...groupFlags(pod),
    ...(own["privileged"] === true ? ["--privileged"] : []),
    ...capabilityFlags(own),
    ...(own["readOnlyRootFilesystem"] === true ? program.readOnlyFlags : []),
    // Folders of the user's are mounted as they are: nothing of them is relabelled.
    ...securityOption("label=disable"),
    ...(own["allowPrivilegeEscalation"] === false ? securityOption("no-new-privileges") : []),
    ...(isUnconfined(both["seccompProfile"]) ? securityOption("seccomp=unconfined") : []),
    ...(isUnconfined(both["appArmorProfile"]) ? securityOption("apparmor=unconfined") : []),
  ];
}

/** Kubernetes' words for an image that would run as root though it must not; undefined where all is well. */
export function rootRefusal(spec: PodSpec, container: Container, imageUser: string): string | undefined {
  const both: JsonObject = { ...spec.securityContext, ...container.securityContext };
  if (both["runAsNonRoot"] !== true) return undefined;
  if (both["runAsUser"] === 0) return "container's runAsUser breaks non-root policy";
  if (both["runAsUser"] !== undefined) return undefined;
  const user = imageUser.split(":")[0] ?? "";
  return ["", "0", "root"].includes(user) ? "container has runAsNonRoot and image will run as root" : undefined;
}

function userFlags(context: JsonObject): readonly string[] {
  const { runAsUser: user, runAsGroup: group } = context;
  if (!isId(user)) return isId(group) ? ["--user", `0:${group}`] : [];
  return ["--user", isId(group) ? `${user}:${group}` : `${user}`];
}

function groupFlags(pod: JsonObject): readonly string[] {
  const groups = [pod["fsGroup"], ...listOf(pod["supplementalGroups"])].filter(isId);
  return [...new Set(groups)].flatMap((group) => ["--group-add", String(group)]);
}

function capabilityFlags(own: JsonObject): readonly string[] {
  const capabilities = own["capabilities"];
  if (!isJsonObject(capabilities)) return [];
  const of = (field: string, flag: string): readonly string[] =>
    listOf(capabilities[field]).flatMap((name) => (typeof name === "string" ? [flag, name.replace(/^CAP_/, "")] : []));
  return [...of("drop", "--cap-drop"), ...of("add", "--cap-add")];
}

function securityOption(option: string): readonly string[] {
  return ["--security-opt", option];
}

function isUnconfined(profile: Json | undefined): boolean {
  return isJsonObject(profile) && profile["type"] === "Unconfined";
}

function isId(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
