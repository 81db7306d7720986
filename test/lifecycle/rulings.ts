/** Where Argo v4.1.2 is not right, or this cluster is another: what is right, and why. All else is to be as Argo has it. */

export interface Ruling {
  /** The lesson or law that says so. */
  readonly rule: string;
  /** By the path of a difference: the right value. */
  readonly right: Readonly<Record<string, string>>;
}

const rules = {
  unbound: "design law 1: an attempt that never began is made again, as Argo does without the finalizer",
  stubborn: "lessons G.3 2, 3: signal, grace, then the pod is deleted; let go only when it has ended",
  deadline: "lessons G.3 4: the deadline of a pending pod is kept",
  neverAgain: "lessons G.3 5: an attempt that was seen to run is lost, never made again",
  delays: "lessons G.3 6: podGC counts from saved facts",
  orphans: "lessons G.3 7: orphans are freed at the start",
  optionOff: "lessons G.3 8: freed whatever the options say",
  daemonEnds: "lessons G.3 9: the end of a daemon is seen at once, and said",
  outputs: "lessons G.3 10: the executor waits for main; of a node that is settled already a later result is ignored",
  silentKubelet: "lessons G.3 3, 11: nobody waits for an exec; after the grace the pod is deleted",
  foreignPod: "lessons G.3 12: it goes on when the foreign pod is gone",
  byOwner: "lessons G.3 13: pods are ours by owner, and the label is put back",
  outcomeFirst: "lessons G.3 14: the pod is in view until it has ended, so its exit code is saved",
  leftBehind: "lessons G.3 15: a pod that is left behind is labelled",
  exitCodes: "lessons G.3 16: locally as a shell would say",
  neverBound: "design 4: a pod that was never bound is let go at once; here the kubelet is the scheduler too",
  noExecutor: "this cluster's pods have no init container and no executor where these have nothing to do",
  unclaimed: "design 4: a pod with neither our owner nor our finalizer is not ours to label",
  images: "an image that cannot be looked up is said at once, not tried for ever",
  schema: "the embedded API server has no schema of the CRD: the controller refuses",
} as const;

/** By the case's name in any folder; by folder and name where that differs. */
export const rulings: Readonly<Record<string, Ruling>> = {
  "ckill-poddel-pending": {
    rule: rules.unbound,
    right: {
      phase: "Running",
      message: "",
      "nodes.ckill-poddel-pending": "Pod Pending",
      "nodes.ckill-poddel-pending.message":
        "Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
      "pods.ckill-poddel-pending.end": "Pending",
      "pods.ckill-poddel-pending#2.end": "Pending",
      "pods.ckill-poddel-pending#2.fate": "kept, not labelled",
    },
  },
  "poddel-pending": {
    rule: rules.unbound,
    right: {
      phase: "Running",
      message: "",
      "nodes.poddel-pending": "Pod Pending",
      "nodes.poddel-pending.message":
        "Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
      "pods.poddel-pending.end": "Pending",
      "pods.poddel-pending#2.end": "Pending",
      "pods.poddel-pending#2.fate": "kept, not labelled",
    },
  },
  "poddel-pending-force": {
    rule: rules.unbound,
    right: {
      phase: "Running",
      message: "",
      "nodes.poddel-pending-force": "Pod Pending",
      "nodes.poddel-pending-force.message":
        "Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
      "pods.poddel-pending-force.end": "Pending",
      "pods.poddel-pending-force#2.end": "Pending",
      "pods.poddel-pending-force#2.fate": "kept, not labelled",
    },
  },
  "ckill-terminate-signalled": {
    rule: rules.stubborn,
    right: {
      "pods.ckill-terminate-signalled.end": "Failed, main 137:Error",
      "pods.ckill-terminate-signalled.fate": "deleted",
    },
  },
  "daemon-ignoreterm": {
    rule: rules.stubborn,
    right: {
      "pods.daemon-ignoreterm[0].d.end": "Failed, main 137:Error",
      "pods.daemon-ignoreterm[0].d.fate": "deleted",
    },
  },
  "terminate-running-grace2": {
    rule: rules.stubborn,
    right: {
      "pods.terminate-running-grace2.end": "Failed, main 137:Error",
      "pods.terminate-running-grace2.fate": "deleted",
    },
  },
  "configmap-missing": {
    rule: rules.deadline,
    right: {
      phase: "Failed",
      message: "(the workflow's deadline)",
      "nodes.configmap-missing": "Pod Failed",
      "nodes.configmap-missing.message": "(the workflow's deadline)",
      "pods.configmap-missing.end": "Failed, main 137:ContainerStatusUnknown",
      "pods.configmap-missing.fate": "deleted",
    },
  },
  "deadline-wf-pending": {
    rule: rules.deadline,
    right: {
      phase: "Failed",
      message: "child 'deadline-wf-pending-2107145018' failed",
      "nodes.deadline-wf-pending": "Steps Failed",
      "nodes.deadline-wf-pending.message": "child 'deadline-wf-pending-2107145018' failed",
      "nodes.deadline-wf-pending[0]": "StepGroup Failed",
      "nodes.deadline-wf-pending[0].message": "child 'deadline-wf-pending-2107145018' failed",
      "nodes.deadline-wf-pending[0].a": "Pod Failed",
      "nodes.deadline-wf-pending[0].a.message": "(the workflow's deadline)",
      "nodes.deadline-wf-pending.onExit": "Pod Succeeded",
      "nodes.deadline-wf-pending.onExit.outputs": "exit 0",
      "pods.deadline-wf-pending[0].a.fate": "deleted",
      "pods.deadline-wf-pending.onExit.end": "Succeeded, main 0:Completed",
      "pods.deadline-wf-pending.onExit.fate": "kept, labelled completed",
    },
  },
  "poddel-pending-retry": {
    rule: rules.deadline,
    right: {
      phase: "Failed",
      message: "retry exceeded workflow deadline 2024-01-01T00:00:40Z",
      "nodes.poddel-pending-retry": "Retry Failed",
      "nodes.poddel-pending-retry.message": "retry exceeded workflow deadline 2024-01-01T00:00:40Z",
      "nodes.poddel-pending-retry(0).message": "(the workflow's deadline)",
      "pods.poddel-pending-retry(0).end": "Pending",
      "pods.poddel-pending-retry(0)#2.end": "Pending",
      "pods.poddel-pending-retry(0)#2.fate": "deleted",
      "nodes.poddel-pending-retry(1)": "",
      "nodes.poddel-pending-retry(1).message": "",
      "pods.poddel-pending-retry(1).end": "",
      "pods.poddel-pending-retry(1).fate": "",
    },
  },
  "ckill-gcdelay-wf": {
    rule: rules.delays,
    right: { "pods.ckill-gcdelay-wf.fate": "deleted" },
  },
  "ckill2-wfdel-finished": {
    rule: rules.orphans,
    right: { "pods.ckill2-wfdel-finished.fate": "deleted" },
  },
  "ckill2-wfdel-finished-gc": {
    rule: rules.orphans,
    right: { "pods.ckill2-wfdel-finished-gc.fate": "deleted" },
  },
  "nofin-gc": {
    rule: rules.optionOff,
    right: { "pods.nofin-gc.fate": "deleted" },
  },
  "nofin-poddel": {
    rule: rules.optionOff,
    right: { "pods.nofin-poddel.fate": "deleted" },
  },
  "nofin-wfdel": {
    rule: rules.optionOff,
    right: { "pods.nofin-wfdel.fate": "deleted" },
  },
  "nofin2-gc": {
    rule: rules.optionOff,
    right: { "pods.nofin2-gc.fate": "deleted" },
  },
  "daemon-exits0": {
    rule: rules.daemonEnds,
    right: {
      message: "daemon 'd' failed: daemon ended (exit code 0) while it was still needed",
      "nodes.daemon-exits0.message": "daemon 'd' failed: daemon ended (exit code 0) while it was still needed",
      "nodes.daemon-exits0[0]": "StepGroup Succeeded",
      "nodes.daemon-exits0[0].message": "",
      "nodes.daemon-exits0[0].d.message": "daemon ended (exit code 0) while it was still needed",
      "nodes.daemon-exits0[1]": "StepGroup Failed",
      "nodes.daemon-exits0[1].message": "daemon 'd' failed: daemon ended (exit code 0) while it was still needed",
      "nodes.daemon-exits0[1].b": "Pod Failed",
      "nodes.daemon-exits0[1].b.message": "ended early: daemon-exits0 has ended",
      "pods.daemon-exits0[1].b.end": "Failed, main 143:Error",
      "pods.daemon-exits0[1].b.fate": "kept, labelled completed",
    },
  },
  "daemon-poddel": {
    rule: rules.daemonEnds,
    right: {
      message: "daemon 'd' failed: main: Error (exit code 143)",
      "nodes.daemon-poddel.message": "daemon 'd' failed: main: Error (exit code 143)",
      "nodes.daemon-poddel[0]": "StepGroup Succeeded",
      "nodes.daemon-poddel[0].message": "",
      "nodes.daemon-poddel[1]": "StepGroup Failed",
      "nodes.daemon-poddel[1].message": "daemon 'd' failed: main: Error (exit code 143)",
      "nodes.daemon-poddel[1].b": "Pod Failed",
      "nodes.daemon-poddel[1].b.message": "ended early: daemon-poddel has ended",
      "pods.daemon-poddel[1].b.end": "Failed, main 143:Error",
      "pods.daemon-poddel[1].b.fate": "kept, labelled completed",
    },
  },
  "poddel-running-outputs": {
    rule: rules.outputs,
    right: {
      phase: "Succeeded",
      message: "",
      "nodes.poddel-running-outputs": "Pod Succeeded",
      "nodes.poddel-running-outputs.message": "",
      "nodes.poddel-running-outputs.outputs": 'exit 0, o="got"',
      "pods.poddel-running-outputs.end": "Succeeded, main 0:Completed",
    },
  },
  "stop-running-exit0": {
    rule: rules.outputs,
    right: {
      "nodes.stop-running-exit0[0].a.outputs": "",
      "pods.stop-running-exit0[0].a.end": "Succeeded, main 0:Completed",
    },
  },
  "terminate-running-exit0": {
    rule: rules.outputs,
    right: {
      "nodes.terminate-running-exit0[0].a.outputs": "",
      "pods.terminate-running-exit0[0].a.end": "Succeeded, main 0:Completed",
    },
  },
  "kstop-deadline-wf": {
    rule: rules.silentKubelet,
    right: { "pods.kstop-deadline-wf.fate": "deleted" },
  },
  "kstop-terminate": {
    rule: rules.silentKubelet,
    right: { "pods.kstop-terminate.fate": "deleted" },
  },
  "kstop-terminate-retry": {
    rule: rules.silentKubelet,
    right: { "pods.kstop-terminate-retry(0).fate": "deleted" },
  },
  "pod-exists": {
    rule: rules.foreignPod,
    right: {
      phase: "Succeeded",
      "nodes.pod-exists": "Pod Succeeded",
      "nodes.pod-exists.outputs": "exit 0",
      "pods.pod-exists.end": "Succeeded, main 0:Completed",
      "pods.pod-exists.fate": "kept, labelled completed",
    },
  },
  "pod-completed-label-by-user": {
    rule: rules.byOwner,
    right: {
      phase: "Succeeded",
      message: "",
      "nodes.pod-completed-label-by-user": "Pod Succeeded",
      "nodes.pod-completed-label-by-user.message": "",
      "nodes.pod-completed-label-by-user.outputs": "exit 0",
    },
  },
  "pod-foreign-label-edit": {
    rule: rules.byOwner,
    right: {
      phase: "Succeeded",
      message: "",
      "nodes.pod-foreign-label-edit": "Pod Succeeded",
      "nodes.pod-foreign-label-edit.message": "",
      "nodes.pod-foreign-label-edit.outputs": "exit 0",
      "pods.pod-foreign-label-edit.fate": "kept, labelled completed",
    },
  },
  "deadline-wf-running": {
    rule: rules.outcomeFirst,
    right: {
      "nodes.deadline-wf-running[0].a.message": "main: Error (exit code 143)",
      "nodes.deadline-wf-running[0].a.outputs": "exit 143",
    },
  },
  "stop-parallel-onexit": {
    rule: rules.outcomeFirst,
    right: {
      "nodes.stop-parallel-onexit[0].p0.message": "main: Error (exit code 143)",
      "nodes.stop-parallel-onexit[0].p0.outputs": "exit 143",
      "nodes.stop-parallel-onexit[0].p1.message": "main: Error (exit code 143)",
      "nodes.stop-parallel-onexit[0].p1.outputs": "exit 143",
      "nodes.stop-parallel-onexit[0].p2.message": "main: Error (exit code 143)",
      "nodes.stop-parallel-onexit[0].p2.outputs": "exit 143",
    },
  },
  "stop-running": {
    rule: rules.outcomeFirst,
    right: {
      "nodes.stop-running[0].a.message": "main: Error (exit code 143)",
      "nodes.stop-running[0].a.outputs": "exit 143",
    },
  },
  "wfdel-running-orphan": {
    rule: rules.leftBehind,
    right: { "pods.wfdel-running-orphan.fate": "kept, labelled completed" },
  },
  "exit-codes": {
    rule: rules.exitCodes,
    right: {
      "nodes.exit-codes[0].nocmd.message": "main: Error (exit code 127)",
      "nodes.exit-codes[0].nocmd.outputs": "exit 127",
      "nodes.exit-codes[0].kill9.message": "main: Error (exit code 137)",
      "nodes.exit-codes[0].kill9.outputs": "exit 137",
      "nodes.exit-codes[0].term.message": "main: Error (exit code 143)",
      "nodes.exit-codes[0].term.outputs": "exit 143",
      "pods.exit-codes[0].nocmd.end": "Failed, main 127:Error",
      "pods.exit-codes[0].kill9.end": "Failed, main 137:Error",
      "pods.exit-codes[0].term.end": "Failed, main 143:Error",
    },
  },
  "kstop-newpod-terminate": {
    rule: rules.neverBound,
    right: { "pods.kstop-newpod-terminate[1].b.end": "Pending" },
  },
  "wfdel-pending-foreground": {
    rule: rules.neverBound,
    right: {
      phase: "Running",
      message: "",
      "nodes.wfdel-pending-foreground": "Pod open",
      "nodes.wfdel-pending-foreground.message": "",
      "pods.wfdel-pending-foreground.end": "Pending",
    },
  },
  "norbac-nooutputs": {
    rule: rules.noExecutor,
    right: {
      phase: "Succeeded",
      message: "",
      "nodes.norbac-nooutputs": "Pod Succeeded",
      "nodes.norbac-nooutputs.message": "",
      "pods.norbac-nooutputs.end": "Succeeded, main 0:Completed",
    },
  },
  "wait-killed-nooutputs": {
    rule: rules.noExecutor,
    right: {
      phase: "Succeeded",
      message: "",
      "nodes.wait-killed-nooutputs": "Pod Succeeded",
      "nodes.wait-killed-nooutputs.message": "",
      "pods.wait-killed-nooutputs.end": "Succeeded, main 0:Completed",
    },
  },
  runasnonroot: {
    rule: rules.noExecutor,
    right: { "pods.runasnonroot.end": "Failed, main 137:ContainerStatusUnknown" },
  },
  "terminate-creating": {
    rule: rules.noExecutor,
    right: { "pods.terminate-creating[0].a.end": "Failed, main 137:ContainerStatusUnknown" },
  },
  "image-nocommand": {
    rule: rules.images,
    right: {
      phase: "Error",
      message:
        'error in entry template execution: failed to look-up entrypoint/cmd for image "nosuch/image:v1", you must either explicitly specify the command, or list the image\'s command in the index: https://argo-workflows.readthedocs.io/en/latest/workflow-executors/#emissary-emissary: not listed under "images"',
      "nodes.image-nocommand": "Pod Error",
      "nodes.image-nocommand.message":
        'failed to look-up entrypoint/cmd for image "nosuch/image:v1", you must either explicitly specify the command, or list the image\'s command in the index: https://argo-workflows.readthedocs.io/en/latest/workflow-executors/#emissary-emissary: not listed under "images"',
    },
  },
  "podname-long": {
    rule: rules.schema,
    right: {
      phase: "Failed",
      message:
        "invalid spec: spec.templates[1].name: 'txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is invalid: must be no more than 128 characters",
    },
  },
  "lifecycle-nofinalizer/wfdel-running-orphan": { rule: rules.unclaimed, right: {} },
  "poddel-running-force": {
    rule: rules.neverAgain,
    right: {
      phase: "Error",
      message: "pod deleted",
      "nodes.poddel-running-force": "Pod Error",
      "nodes.poddel-running-force.message": "pod deleted",
      "nodes.poddel-running-force.outputs": "",
      "pods.poddel-running-force#2.end": "",
      "pods.poddel-running-force#2.fate": "",
    },
  },
  "deadline-tmpl-pending": {
    rule: rules.deadline,
    right: {
      phase: "Failed",
      message: "child 'deadline-tmpl-pending-2196587152' failed",
      "nodes.deadline-tmpl-pending": "Steps Failed",
      "nodes.deadline-tmpl-pending.message": "child 'deadline-tmpl-pending-2196587152' failed",
      "nodes.deadline-tmpl-pending[0]": "StepGroup Failed",
      "nodes.deadline-tmpl-pending[0].message": "child 'deadline-tmpl-pending-2196587152' failed",
      "nodes.deadline-tmpl-pending[0].a": "Pod Failed",
      "nodes.deadline-tmpl-pending[0].a.message": "Step exceeded its deadline",
      "pods.deadline-tmpl-pending[0].a.fate": "deleted",
    },
  },
};
