/** `logs -f`: the logs of a workflow's steps as they come, until it ends or the user leaves. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import type { Context } from "../context.js";
import type { OpenWorkflow } from "../places/find.js";
import { nodeIdOfPod } from "../print/pod-note.js";
import { stepsOf } from "../steps.js";
import { watchOwner } from "./owner-watch.js";
import { RunState } from "./state.js";
import type { StepLogs } from "./step-logs.js";
import { startWatching } from "./watch.js";

export interface FollowLogs {
  readonly logs: StepLogs;
  readonly wants: (workflow: Workflow, pod: Pod) => boolean;
  readonly container: string;
  /** Aborts when nobody reads any more. */
  readonly readerGone: AbortSignal;
}

/** "left": by the user, or nobody reads any more. Resolves also when the owner of its place has gone. */
export async function followLogs(
  context: Context,
  open: OpenWorkflow,
  follow: FollowLogs,
): Promise<"left" | "to the end"> {
  const { handle, workflow } = open;
  const { logs, wants, container } = follow;
  const state = new RunState([workflow]);
  const abort = new AbortController();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  // Whatever is waited for: the first look, or a reader that takes no more lines.
  let leave: () => void = () => undefined;
  let how: "left" | "to the end" = "to the end";
  const left = new Promise<void>((resolve) => {
    leave = () => {
      how = "left";
      resolve();
    };
  });
  const owner = watchOwner(context, handle);
  const stopListening = context.signals.listen(() => leave());
  follow.readerGone.addEventListener("abort", () => leave(), { once: true });
  const look = (): void => {
    for (const pod of state.pods) {
      const current = state.workflows[0] ?? workflow;
      if (hasStarted(pod, container) && state.isNew(pod) && wants(current, pod)) followPod(logs, pod, container);
    }
  };
  try {
    followEnded(workflow, follow);
    const watching = startWatching(
      { ports: context.ports, handle, state, logs: undefined, observer: owner.observer },
      { workflow: () => state.finished && finish(), anyWorkflow: () => undefined, pods: look },
      abort.signal,
    ).then(() => state.finished && finish());
    await Promise.race([watching.then(() => finished), owner.gone, left]);
    look();
    if (state.finished) await Promise.race([logs.settled(), left]);
  } finally {
    stopListening();
    abort.abort();
    await logs.stop("as they are");
  }
  return how;
}

/** Steps that ended before: their pods may be gone. */
function followEnded(workflow: Workflow, { logs, wants, container }: FollowLogs): void {
  const namespace = workflow.metadata.namespace ?? "";
  for (const { node, pod } of stepsOf(workflow)) {
    if (node.finishedAt === undefined) continue;
    const stand = { apiVersion: "v1", kind: "Pod", metadata: { name: pod, namespace }, spec: { containers: [] } };
    if (wants(workflow, stand))
      logs.follow({ nodeId: node.id, pod: { namespace, name: pod }, podUid: "", container, label: pod });
  }
}

function hasStarted(pod: Pod, container: string): boolean {
  const status = pod.status?.containerStatuses?.find(({ name }) => name === container);
  return status?.state?.running !== undefined || status?.state?.terminated !== undefined;
}

function followPod(logs: StepLogs, pod: Pod, container: string): void {
  const name = pod.metadata.name ?? "";
  const ref = { namespace: pod.metadata.namespace ?? "", name };
  logs.follow({ nodeId: nodeIdOfPod(pod) ?? name, pod: ref, podUid: pod.metadata.uid ?? "", container, label: name });
}
