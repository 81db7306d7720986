/** Pod and its parts, as far as something here reads them; the rest is carried as JSON and checked by the codec. */

import type { JsonObject } from "../../std/json.js";
import type { IntOrString, KubeObject } from "./meta.js";

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: "Always" | "OnFailure" | "Never";
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: JsonObject;
  readonly tolerations?: readonly JsonObject[];
  readonly schedulerName?: string;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly runtimeClassName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly dnsPolicy?: string;
  readonly dnsConfig?: JsonObject;
  readonly hostAliases?: readonly HostAlias[];
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly securityContext?: JsonObject;
  readonly resources?: ResourceRequirements;
  readonly resourceClaims?: readonly JsonObject[];
  readonly shareProcessNamespace?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly ephemeralContainers?: readonly JsonObject[];
  readonly hostUsers?: boolean;
  readonly hostnameOverride?: string;
  readonly os?: JsonObject;
  readonly overhead?: Readonly<Record<string, IntOrString>>;
  readonly preemptionPolicy?: string;
  readonly readinessGates?: readonly JsonObject[];
  readonly schedulingGates?: readonly JsonObject[];
  /** The old name of serviceAccountName; Kubernetes keeps both alike. */
  readonly serviceAccount?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly topologySpreadConstraints?: readonly JsonObject[];
  readonly workloadRef?: JsonObject;
}

export interface HostAlias {
  readonly ip: string;
  readonly hostnames?: readonly string[];
}

export interface LocalObjectReference {
  readonly name?: string;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly ports?: readonly ContainerPort[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly JsonObject[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly JsonObject[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly JsonObject[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: JsonObject;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: "File" | "FallbackToLogsOnError";
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  readonly securityContext?: JsonObject;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath: string };
    readonly resourceFieldRef?: JsonObject;
    readonly configMapKeyRef?: KeySelector;
    readonly secretKeyRef?: KeySelector;
    readonly fileKeyRef?: JsonObject;
  };
}

export interface KeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, IntOrString>>;
  readonly requests?: Readonly<Record<string, IntOrString>>;
  readonly claims?: readonly JsonObject[];
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPropagation?: string;
}

export interface Probe {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port: IntOrString;
    readonly host?: string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly tcpSocket?: { readonly port: IntOrString; readonly host?: string };
  readonly grpc?: JsonObject;
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

/** The sources this engine does not read itself: JSON, for the codec to check and the pod to carry. */
export type OtherVolumeSource =
  | "awsElasticBlockStore"
  | "azureDisk"
  | "azureFile"
  | "cephfs"
  | "cinder"
  | "csi"
  | "ephemeral"
  | "fc"
  | "flexVolume"
  | "flocker"
  | "gcePersistentDisk"
  | "gitRepo"
  | "glusterfs"
  | "image"
  | "iscsi"
  | "nfs"
  | "photonPersistentDisk"
  | "portworxVolume"
  | "quobyte"
  | "rbd"
  | "scaleIO"
  | "storageos"
  | "vsphereVolume";

/** One source is set. */
export interface Volume extends Readonly<Partial<Record<OtherVolumeSource, JsonObject>>> {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: IntOrString };
  readonly configMap?: ConfigMapVolume;
  readonly secret?: SecretVolume;
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly downwardAPI?: JsonObject;
  readonly projected?: JsonObject;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface ConfigMapVolume {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface SecretVolume {
  readonly secretName?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

export interface PodStatus {
  readonly phase?: PodPhase;
  readonly reason?: string;
  readonly message?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly qosClass?: string;
  readonly conditions?: readonly PodCondition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly nominatedNodeName?: string;
  readonly observedGeneration?: number;
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly JsonObject[];
  readonly extendedResourceClaimStatus?: JsonObject;
  readonly allocatedResources?: Readonly<Record<string, IntOrString>>;
  readonly resources?: ResourceRequirements;
}

export interface PodCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly allocatedResources?: Readonly<Record<string, IntOrString>>;
  readonly allocatedResourcesStatus?: readonly JsonObject[];
  readonly resources?: ResourceRequirements;
  readonly stopSignal?: string;
  readonly user?: JsonObject;
  readonly volumeMounts?: readonly JsonObject[];
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: ContainerStateTerminated;
}

export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly containerID?: string;
}
