/** What of a pod decides anything: a small value, so that most pod updates can be seen to mean nothing. */

export interface PodView {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** From the annotation, else the pod's name (Argo 4.1 behaviour 5.7). */
  readonly nodeId: string;
  /** UID of the controlling Workflow; undefined when the pod is nobody's. */
  readonly ownerUid: string | undefined;
  /** From the annotation; undefined for pods that Argo made. */
  readonly retryGeneration: number | undefined;
  readonly createdAt: string | undefined;
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly podIP: string | undefined;
  readonly hostNodeName: string | undefined;
  /** The machine that will take it as soon as there is room. */
  readonly nominatedNodeName: string | undefined;
  readonly deletionTimestamp: string | undefined;
  readonly deletionGracePeriodSeconds: number | undefined;
  readonly terminationGracePeriodSeconds: number;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
  }[];
  readonly initContainers: readonly ContainerView[];
  readonly containers: readonly ContainerView[];
  /** Ours is {@link podFinalizer}; all of them, as read. */
  readonly finalizers: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ContainerView {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: ContainerViewState;
  /** CPU, memory and other quantities for resourcesDuration, as written. */
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

export type ContainerViewState =
  | { readonly kind: "unknown" }
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string }
  | { readonly kind: "running"; readonly startedAt: string }
  | {
      readonly kind: "terminated";
      readonly exitCode: number;
      readonly reason: string;
      readonly message: string;
      readonly startedAt: string | undefined;
      readonly finishedAt: string | undefined;
    };
