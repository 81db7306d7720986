/** What became of a case here and what became of it under Argo, as a person reads the differences. */

import type { Outputs } from "../../src/core/model/argo/template.js";
import type { LifecycleCase, RecordedPod } from "./case.js";
import type { Observer, SeenPod } from "./observe.js";

export interface Difference {
  /** `phase`, `nodes.wf[0].a.message`, `pods.wf[0].a#2.end` */
  readonly path: string;
  readonly ours: string;
  readonly argos: string;
}

/** By path, as differences have it. */
export type Values = Readonly<Record<string, string>>;

export function compare(one: LifecycleCase, ours: Values): readonly Difference[] {
  const argos = argosOf(one);
  return [...new Set([...Object.keys(ours), ...Object.keys(argos)])].flatMap((path) => {
    const [left = "", right = ""] = [ours[path], argos[path]];
    return left === right ? [] : [{ path, ours: left, argos: right }];
  });
}

/** What became of the case here. */
export function oursOf(one: LifecycleCase, { workflow, workflowGoneAt, pods }: Observer): Values {
  const { status } = workflow ?? {};
  const isGone = workflowGoneAt !== undefined;
  return {
    workflow: isGone ? "deleted" : "there",
    ...phasesOf(
      one,
      { phase: status?.phase ?? "", message: status?.message ?? "" },
      Object.values(status?.nodes ?? {}),
    ),
    ...podsOf(pods.map((pod) => [pod.node, ends(pod, one)] as const)),
  };
}

function argosOf(one: LifecycleCase): Values {
  const isGone = typeof one.workflowDeletedAt === "number";
  return {
    workflow: isGone ? "deleted" : "there",
    ...phasesOf(one, one, one.nodes),
    ...podsOf(one.pods.map((pod) => [pod.node, recordedEnds(pod, one)] as const)),
  };
}

function phasesOf(
  one: LifecycleCase,
  { phase, message }: { readonly phase: string; readonly message: string },
  nodes: LifecycleCase["nodes"],
): Values {
  const values: Record<string, string> = { phase, message: messageText(one, message) };
  for (const node of nodes) {
    const path = `nodes.${node.name}`;
    const isOpen = typeof one.workflowDeletedAt === "number" && ["Pending", "Running"].includes(node.phase ?? "");
    // How far it came before its workflow was deleted is a matter of moments.
    values[path] = `${node.type} ${isOpen ? "open" : (node.phase ?? "")}`;
    values[`${path}.message`] = isOpen ? "" : messageText(one, node.message ?? "");
    values[`${path}.outputs`] = isDeadline(one, node.message) ? "" : outputsText(node.outputs);
  }
  return values;
}

/** The kubelet and the controller watch the same deadline: which of them says it first is a matter of moments. */
function messageText(one: LifecycleCase, message: string): string {
  if (isDeadline(one, message)) return "(the workflow's deadline)";
  // A pod without init containers waits in other words.
  return message === "PodInitializing" ? "ContainerCreating" : message;
}

const deadlineMessages = [
  "Step exceeded its deadline",
  "Pod was active on the node longer than the specified deadline",
];

function isDeadline({ submitted }: LifecycleCase, message = ""): boolean {
  return submitted.spec.activeDeadlineSeconds !== undefined && deadlineMessages.includes(message);
}

function outputsText(outputs: Outputs | undefined): string {
  const { exitCode, result, parameters = [] } = outputs ?? {};
  const texts = [
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    ...(result === undefined ? [] : [`result ${result.length} ${JSON.stringify(result.slice(0, 40))}`]),
    ...parameters.map(({ name, value }) => `${name}=${JSON.stringify(value)}`),
  ];
  return texts.join(", ");
}

/** Of several pods of a node: in the order they came. */
function podsOf(all: readonly (readonly [string | undefined, Values])[]): Values {
  const counts = new Map<string, number>();
  const values: Record<string, string> = {};
  for (const [node, ends] of all) {
    if (node === undefined) continue;
    const nth = (counts.get(node) ?? 0) + 1;
    counts.set(node, nth);
    for (const [what, value] of Object.entries(ends))
      values[`pods.${node}${nth === 1 ? "" : `#${nth}`}.${what}`] = value;
  }
  return values;
}

function ends(pod: SeenPod, one: LifecycleCase): Values {
  const isDeleted = pod.deletedAt !== undefined;
  return {
    end: `${pod.final}${mainText(pod.exits["main"])}`,
    fate: fateOf(isDeleted, pod.labelledCompleted),
    ...(isDeleted && isDelayed(one) ? { delay: delayText(pod.deletedAt, pod.finalAt) } : {}),
  };
}

function recordedEnds(pod: RecordedPod, one: LifecycleCase): Values {
  const isDeleted = typeof pod.deletedAt === "number";
  const main = pod.terminated?.["main"]?.state.replace(/^Terminated:/, "").split(" ")[0];
  return {
    end: `${pod.final}${mainText(main)}`,
    fate: fateOf(isDeleted, typeof pod.labelledCompletedAt === "number"),
    ...(isDeleted && isDelayed(one) ? { delay: delayText(pod.deletedAt, pod.finalAt) } : {}),
  };
}

function mainText(exit: string | undefined): string {
  return exit === undefined ? "" : `, main ${exit}`;
}

/** Of a pod that is gone it does not matter whether it was labelled before. */
function fateOf(isDeleted: boolean, isLabelled: boolean): string {
  if (isDeleted) return "deleted";
  return isLabelled ? "kept, labelled completed" : "kept, not labelled";
}

/** podGC with nothing else that deletes. */
function isDelayed({ submitted, actions, pods }: LifecycleCase): boolean {
  return submitted.spec.podGC !== undefined && actions.length === 0 && pods.length === 1;
}

/** Of the three delays of the cases (0, 5, 10 s) the nearest. */
function delayText(deletedAt: number | null | undefined, finalAt: number | null | undefined): string {
  const seconds = (deletedAt ?? 0) - (finalAt ?? 0);
  return `${Math.round(seconds / 5) * 5} s after its end`;
}
