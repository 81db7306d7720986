/** Pods: Pending at first, a spec that hardly changes, and a deletion that waits for the kubelet. */

import type { KubeObject } from "../../../../core/model/kube/meta.js";
import { isPodOver } from "../../../../core/model/kube/pod-phase.js";
import { isJsonObject, type Json, type JsonObject } from "../../../../core/std/json.js";
import { jsonEqual } from "../../../../kube/patch/equal.js";
import { objectField, withField } from "../fields.js";
import { isText } from "./faults.js";
import { newPodFaults } from "./pod-faults.js";
import type { Strategy } from "./strategy.js";

const graceSecondsDefault = 30;

export const podStrategy: Strategy = {
  create: (pod) => {
    const spec = {
      restartPolicy: "Always",
      terminationGracePeriodSeconds: graceSecondsDefault,
      ...objectField(pod, "spec"),
    };
    return withField(withField(pod, "spec", spec), "status", { phase: "Pending", qosClass: qosClassOf(spec) });
  },
  faults: (pod, before) => (before === undefined ? newPodFaults(pod) : changedSpecFaults(pod, before)),
  grace: graceOf,
  selectable: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
  ],
};

/** Nobody runs a pod that is not bound, nor one that has ended: there is nothing to wait for. */
function graceOf(pod: KubeObject, asked: number | undefined): number {
  const spec = objectField(pod, "spec");
  const phase = objectField(pod, "status")["phase"];
  if (!isText(spec["nodeName"]) || isPodOver(phase)) return 0;
  const wanted = asked ?? numberOr(spec["terminationGracePeriodSeconds"], graceSecondsDefault);
  return wanted < 0 ? 1 : wanted;
}

const frozenText =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`," +
  "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing " +
  "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** A pod is bound once, by setting spec.nodeName; the rest is as the message says. */
function changedSpecFaults(pod: KubeObject, before: KubeObject): readonly string[] {
  const old = objectField(before, "spec");
  const given = objectField(pod, "spec");
  if (given === old) return [];
  return jsonEqual(comparable(given, old), comparable(old, old)) ? [] : [frozenText];
}

function comparable(spec: JsonObject, old: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, nodeName, ...rest } = spec;
  const oldGrace = old["terminationGracePeriodSeconds"];
  const grace =
    typeof oldGrace === "number" && oldGrace < 0 ? oldGrace : (spec["terminationGracePeriodSeconds"] ?? null);
  return {
    ...rest,
    nodeName: isText(old["nodeName"]) ? (nodeName ?? null) : null,
    terminationGracePeriodSeconds: grace,
    containers: withoutImages(spec["containers"]),
    initContainers: withoutImages(spec["initContainers"]),
  };
}

function withoutImages(containers: Json | undefined): Json {
  if (!Array.isArray(containers)) return null;
  return containers.map((container: Json) => (isJsonObject(container) ? { ...container, image: null } : container));
}

/** Guaranteed: every container limits cpu and memory and requests just that; BestEffort: none names either. */
function qosClassOf(spec: JsonObject): string {
  const all = ["initContainers", "containers"].flatMap((field) => {
    const list = spec[field];
    return Array.isArray(list) ? list : [];
  });
  const resources = all.map((container) => (isJsonObject(container) ? (container["resources"] ?? {}) : {}));
  if (resources.every(namesNothing)) return "BestEffort";
  return resources.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

function amount(resources: Json, kind: "limits" | "requests", name: string): Json | undefined {
  const amounts = isJsonObject(resources) ? resources[kind] : undefined;
  return isJsonObject(amounts) ? amounts[name] : undefined;
}

function namesNothing(resources: Json): boolean {
  return ["cpu", "memory"].every(
    (name) => amount(resources, "limits", name) === undefined && amount(resources, "requests", name) === undefined,
  );
}

function isGuaranteed(resources: Json): boolean {
  return ["cpu", "memory"].every((name) => {
    const limit = amount(resources, "limits", name);
    return limit !== undefined && String(amount(resources, "requests", name) ?? limit) === String(limit);
  });
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
