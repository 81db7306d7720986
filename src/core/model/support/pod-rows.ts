/** What is made of containers, volumes and what else a pod has. */

import type {
  Container,
  EnvFromSource,
  EnvVar,
  KeySelector,
  Pod,
  PodSpec,
  Probe,
  ResourceRequirements,
  Volume,
  VolumeMount,
} from "../kube/pod.js";
import { containersOnly, noNetworkPolicy, noScheduler, noTokens, ownNetwork, pulledByRuntime } from "./notices.js";
import { fields, notice, notYet, obeyed, obeyedWhole, partFields, type Rows } from "./row.js";

export const keySelectorRows = fields<KeySelector>({ name: obeyed, key: obeyed, optional: obeyed });

const envRows = fields<EnvVar>({
  name: obeyed,
  value: obeyed,
  valueFrom: fields<NonNullable<EnvVar["valueFrom"]>>({
    fieldRef: obeyedWhole,
    resourceFieldRef: obeyedWhole,
    configMapKeyRef: keySelectorRows,
    secretKeyRef: keySelectorRows,
    fileKeyRef: notYet(),
  }),
});

export const resourceRows = fields<ResourceRequirements>({
  limits: notice("is not enforced by the host runtime", ["docker", "podman", "scripted"]),
  requests: notice("is not reserved by the host runtime", ["docker", "podman", "scripted"]),
  claims: noScheduler,
});

export const volumeMountRows = fields<VolumeMount>({
  name: obeyed,
  mountPath: obeyed,
  subPath: obeyed,
  subPathExpr: obeyed,
  readOnly: obeyed,
  recursiveReadOnly: notice("is not applied here"),
  mountPropagation: notice("is not applied here"),
});

const probeRows = fields<Probe>({
  exec: obeyedWhole,
  httpGet: obeyedWhole,
  tcpSocket: obeyedWhole,
  grpc: notYet(),
  initialDelaySeconds: obeyed,
  timeoutSeconds: obeyed,
  periodSeconds: obeyed,
  successThreshold: obeyed,
  failureThreshold: obeyed,
  terminationGracePeriodSeconds: notice("is not told from the pod's own here"),
});

/** All of a container but its name. */
export const namelessContainerRows: Rows<Omit<Container, "name">> = {
  image: obeyed,
  command: obeyed,
  args: obeyed,
  workingDir: obeyed,
  env: envRows,
  envFrom: fields<EnvFromSource>({ prefix: obeyed, configMapRef: obeyedWhole, secretRef: obeyedWhole }),
  ports: obeyedWhole,
  resources: resourceRows,
  resizePolicy: notice("means nothing here: containers are not resized"),
  restartPolicy: obeyed,
  restartPolicyRules: notYet(),
  volumeMounts: volumeMountRows,
  volumeDevices: notYet("is not built yet: there are no block devices here"),
  livenessProbe: probeRows,
  readinessProbe: probeRows,
  startupProbe: probeRows,
  lifecycle: notYet(),
  terminationMessagePath: obeyed,
  terminationMessagePolicy: obeyed,
  imagePullPolicy: obeyed,
  securityContext: containersOnly,
  stdin: notice("is not opened here", ["docker", "podman"]),
  stdinOnce: notice("means nothing here: nobody attaches to a container"),
  tty: notice("is not opened here", ["docker", "podman"]),
};

export const containerRows = fields<Container>({ name: obeyed, ...namelessContainerRows });

const cannotMount = notYet(
  "cannot be mounted on this machine",
  "use an emptyDir or hostPath volume, or give the files with --mount SRC:DST",
);

export const volumeRows = fields<Volume>({
  name: obeyed,
  emptyDir: obeyedWhole,
  configMap: obeyedWhole,
  secret: obeyedWhole,
  hostPath: obeyedWhole,
  persistentVolumeClaim: obeyedWhole,
  downwardAPI: obeyedWhole,
  projected: partFields({
    defaultMode: obeyed,
    sources: partFields({
      secret: obeyedWhole,
      configMap: obeyedWhole,
      downwardAPI: obeyedWhole,
      serviceAccountToken: notice("is an empty file here: there is no token to give"),
      clusterTrustBundle: notYet("is not built yet: there are no certificates here"),
      podCertificate: notYet("is not built yet: there are no certificates here"),
    }),
  }),
  awsElasticBlockStore: cannotMount,
  azureDisk: cannotMount,
  azureFile: cannotMount,
  cephfs: cannotMount,
  cinder: cannotMount,
  csi: cannotMount,
  ephemeral: obeyedWhole,
  fc: cannotMount,
  flexVolume: cannotMount,
  flocker: cannotMount,
  gcePersistentDisk: cannotMount,
  gitRepo: cannotMount,
  glusterfs: cannotMount,
  image: notYet(),
  iscsi: cannotMount,
  nfs: cannotMount,
  photonPersistentDisk: cannotMount,
  portworxVolume: cannotMount,
  quobyte: cannotMount,
  rbd: cannotMount,
  scaleIO: cannotMount,
  storageos: cannotMount,
  vsphereVolume: cannotMount,
});

/** A claim is a folder: what describes the disk says nothing. */
const plainFolder = notice("means nothing here: a claim is a folder of this machine");

export const claimSpecRows = partFields({
  accessModes: obeyed,
  resources: obeyedWhole,
  storageClassName: plainFolder,
  selector: plainFolder,
  volumeName: plainFolder,
  volumeMode: plainFolder,
  volumeAttributesClassName: plainFolder,
  dataSource: notYet("is not built yet: the volume would be empty"),
  dataSourceRef: notYet("is not built yet: the volume would be empty"),
});

const podSpecRows = fields<PodSpec>({
  containers: containerRows,
  initContainers: containerRows,
  volumes: volumeRows,
  restartPolicy: obeyed,
  terminationGracePeriodSeconds: obeyed,
  activeDeadlineSeconds: obeyed,
  nodeName: obeyed,
  nodeSelector: noScheduler,
  affinity: noScheduler,
  tolerations: noScheduler,
  schedulerName: noScheduler,
  serviceAccountName: obeyed,
  automountServiceAccountToken: noTokens,
  priorityClassName: noScheduler,
  priority: noScheduler,
  runtimeClassName: noScheduler,
  hostNetwork: ownNetwork,
  hostPID: containersOnly,
  hostIPC: containersOnly,
  hostname: noNetworkPolicy,
  subdomain: noNetworkPolicy,
  dnsPolicy: noNetworkPolicy,
  dnsConfig: noNetworkPolicy,
  hostAliases: noNetworkPolicy,
  imagePullSecrets: pulledByRuntime,
  securityContext: containersOnly,
  resources: resourceRows,
  resourceClaims: noScheduler,
  shareProcessNamespace: containersOnly,
  enableServiceLinks: noNetworkPolicy,
  ephemeralContainers: notYet(),
  hostUsers: containersOnly,
  hostnameOverride: noNetworkPolicy,
  os: noScheduler,
  overhead: noScheduler,
  preemptionPolicy: noScheduler,
  readinessGates: notYet(),
  schedulingGates: notYet(),
  serviceAccount: obeyed,
  setHostnameAsFQDN: noNetworkPolicy,
  topologySpreadConstraints: noScheduler,
  workloadRef: noScheduler,
});

export const podRows = fields<Pod>({
  apiVersion: obeyed,
  kind: obeyed,
  metadata: obeyedWhole,
  spec: podSpecRows,
  status: obeyedWhole,
});
