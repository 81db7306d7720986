/** Where docker and podman differ; all else is the same command line. */

export type ContainerProgramName = "docker" | "podman";

export interface ContainerProgram {
  readonly name: ContainerProgramName;
  /** Before each command: nothing but errors may stand beside a container's own words. */
  readonly global: readonly string[];
  /** A log that keeps every byte and never drops what is old: `file`, of a plain path, or one that `logs` reads. */
  readonly logFlags: (file: string) => readonly string[];
  /** The network that gives a pod an address others reach; without root podman's default is an island. */
  readonly bridgeFlags: readonly string[];
  /** What a container in the network of another one needs to have the pod's hostname. */
  readonly joinedHostname: (hostname: string) => readonly string[];
  /** Nothing writable but the mounts; podman would add folders in memory. */
  readonly readOnlyFlags: readonly string[];
  readonly gpuFlags: (count: number) => readonly string[];
  /** Whether the container's monitor writes the file of `logFlags`, in the form of our own logs; else `logs` is copied into it. */
  readonly writesLog: boolean;
  readonly waitFlags: readonly string[];
  /** Of `rm`: what is not there keeps none of the others from being removed. */
  readonly removeFlags: readonly string[];
  /** `busybox` is docker.io/library/busybox to Docker; podman asks its configuration, which may say nothing. */
  readonly shortNames: "its own" | "docker.io";
  /** More CPUs than the machine has are refused. */
  readonly checksCpus: boolean;
  /** What `info` says of the machine that containers run on: its architecture, number of CPUs. */
  readonly infoFormat: string;
}

export const containerPrograms = {
  docker: {
    name: "docker",
    global: [],
    // json-file would replace what is not UTF-8; by default `local` keeps 100 MB.
    logFlags: () => ["--log-driver", "local", ...logOptions("max-size=1t", "max-file=1", "compress=false")],
    bridgeFlags: [],
    joinedHostname: () => [],
    readOnlyFlags: ["--read-only"],
    gpuFlags: (count) => ["--gpus", String(count)],
    writesLog: false,
    waitFlags: [],
    removeFlags: [],
    shortNames: "its own",
    checksCpus: true,
    infoFormat: "{{.Architecture}} {{.NCPU}}",
  },
  podman: {
    name: "podman",
    global: ["--log-level", "error"],
    logFlags: (file) => ["--log-driver", "k8s-file", ...logOptions(`path=${file}`, "max-size=1t")],
    bridgeFlags: ["--network", "bridge"],
    joinedHostname: (hostname) => ["--hostname", hostname],
    readOnlyFlags: ["--read-only", "--read-only-tmpfs=false"],
    gpuFlags: () => ["--device", "nvidia.com/gpu=all"],
    // Its `logs --follow` loses bytes of a line that it meets half written.
    writesLog: true,
    waitFlags: ["--interval", "50ms"],
    removeFlags: ["--ignore"],
    shortNames: "docker.io",
    checksCpus: false,
    infoFormat: "{{.Host.Arch}} {{.Host.CPUs}}",
  },
} as const satisfies Record<ContainerProgramName, ContainerProgram>;

function logOptions(...options: readonly string[]): readonly string[] {
  return options.flatMap((option) => ["--log-opt", option]);
}
