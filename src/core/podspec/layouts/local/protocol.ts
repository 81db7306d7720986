/** What a pod of the local layout and the built-in executor images agree on: names, paths, environment. */

/** Built-in images: functions of the process that runs the kubelet. */
export const initImage = "tiphys.local/init";
export const waitImage = "tiphys.local/wait";

export const initContainerName = "init";
export const waitContainerName = "wait";

/** emptyDir that `init` writes the script's source to, as the file `script`, mode 0755. */
export const stagingVolume = "argo-staging";
export const stagingPath = "/argo/staging";
export const scriptPath = `${stagingPath}/script`;

/** emptyDir that `init` loads input artifacts into: one entry a name, which main mounts at the artifact's path. */
export const inputArtifactsVolume = "input-artifacts";
export const inputArtifactsPath = "/argo/inputs/artifacts";

/** Where `init` mounts the user's volumes that an input artifact's path lies in: below, at main's own mount path. */
export const mainRootPath = "/mainctrfs";

/** Below it, a folder a secret with a file a key: credentials of `http` and `git`, in `init` and `wait`. */
export const secretPath = "/argo/secret";

/** Environment of every container. */
export const env = {
  containerName: "ARGO_CONTAINER_NAME",
  nodeId: "ARGO_NODE_ID",
  workflowName: "ARGO_WORKFLOW_NAME",
  /** `true` or `false`: what main prints becomes outputs.result. */
  includeScriptOutput: "ARGO_INCLUDE_SCRIPT_OUTPUT",
  /** RFC 3339; {@link noDeadline} for none. */
  deadline: "ARGO_DEADLINE",
  /** Of `init` and `wait` only. */
  podName: "ARGO_POD_NAME",
  podUid: "ARGO_POD_UID",
  workflowUid: "ARGO_WORKFLOW_UID",
  instanceId: "ARGO_INSTANCE_ID",
  /** The template as JSON, inputs.parameters left out, archiveLocation filled in. */
  template: "ARGO_TEMPLATE",
} as const;

/** Go's zero time. */
export const noDeadline = "0001-01-01T00:00:00Z";
