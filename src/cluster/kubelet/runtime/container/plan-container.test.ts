import { expect, test } from "vitest";
import type { Container, PodSpec } from "../../../../core/model/kube/pod.js";
import type { ContainerSetup } from "../port.js";
import { Cli } from "./cli.js";
import { ownerFlags } from "./flags/network.js";
import { planContainer } from "./plan-container.js";
import { type ContainerProgramName, containerPrograms } from "./program.js";

interface Case {
  readonly container?: Partial<Container>;
  readonly spec?: Partial<PodSpec>;
  readonly setup?: Partial<ContainerSetup>;
  readonly platform?: string;
  readonly init?: boolean;
}

/** The words of `create` for an ordinary pod that differs in this. */
function words(program: ContainerProgramName, { container = {}, spec = {}, setup = {}, platform, init = true }: Case) {
  const cli = new Cli({
    program: containerPrograms[program],
    file: program,
    env: { PATH: "/bin" },
    starter: () => {
      throw new Error("nothing is run");
    },
  });
  const main: Container = { name: "main", image: "img:1", ...container };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "wf-a-1", namespace: "default", uid: "u-1" },
    spec: { containers: [main], ...spec },
  };
  return planContainer({
    context: { cli, place: "/place/pods", platform, abilities: { init, bridge: true } },
    pod,
    setup: {
      container: main,
      restartCount: 0,
      argv: [...(main.command ?? []), ...(main.args ?? [])],
      env: new Map(),
      workingDir: undefined,
      mounts: [],
      waiting: () => undefined,
      signal: new AbortController().signal,
      ...setup,
    },
    image: "img:1",
    network: ownerFlags(pod, cli.program.bridgeFlags),
    logFile: "/run/log.0",
    cpus: 4,
    mounts: [],
  });
}

const begin =
  "create --name tiphys_wf-a-1_main_u-1_0 --pull never --label dev.tiphys.place=/place/pods --label dev.tiphys.pod-uid=u-1 --label dev.tiphys.pod=default/wf-a-1 --label dev.tiphys.container=main --label dev.tiphys.restart=0 --init";

test("docker: the whole line", () => {
  expect(words("docker", { container: { command: ["sh", "-c"], args: ["echo hi"] } }).args.join(" ")).toBe(
    `${begin} --log-driver local --log-opt max-size=1t --log-opt max-file=1 --log-opt compress=false --hostname wf-a-1 --security-opt label=disable --entrypoint sh img:1 -c echo hi`,
  );
});

test("podman: the whole line", () => {
  expect(words("podman", { container: { command: ["sh", "-c"], args: ["echo hi"] } }).args.join(" ")).toBe(
    `${begin} --log-driver k8s-file --log-opt path=/run/log.0 --log-opt max-size=1t --network bridge --hostname wf-a-1 --security-opt label=disable --entrypoint sh img:1 -c echo hi`,
  );
});

/** What stands between the label option and the image, or after the image, or anywhere. */
test.each<[string, ContainerProgramName, Case, string]>([
  ["args alone", "docker", { container: { args: ["a", "b"] } }, "label=disable img:1 a b"],
  ["neither command nor args", "docker", {}, "label=disable img:1"],
  ["a platform", "docker", { platform: "linux/arm64" }, "--label dev.tiphys.restart=0 --platform linux/arm64 --init"],
  ["no init program", "docker", { init: false }, "--label dev.tiphys.restart=0 --log-driver"],
  [
    "a shared process namespace has its first process already",
    "docker",
    { spec: { shareProcessNamespace: true } },
    "--label dev.tiphys.restart=0 --log-driver",
  ],
  [
    "limits, no swap, no more CPUs than there are",
    "docker",
    { container: { resources: { limits: { cpu: "16", memory: "1Gi" }, requests: { cpu: "250m" } } } },
    "--cpus 4 --memory 1073741824 --memory-swap 1073741824 --cpu-shares 256",
  ],
  [
    "a limit below what a container needs",
    "podman",
    { container: { resources: { limits: { cpu: "100m", memory: "1Mi" } } } },
    "--cpus 0.1 --memory 6291456 --memory-swap 6291456",
  ],
  ["GPUs", "docker", { container: { resources: { limits: { "nvidia.com/gpu": 2 } } } }, "--gpus 2"],
  ["GPUs", "podman", { container: { resources: { limits: { "nvidia.com/gpu": 2 } } } }, "--device nvidia.com/gpu=all"],
  ["a terminal", "docker", { container: { tty: true, stdin: true } }, "--tty --interactive --security-opt"],
  [
    "a security context",
    "docker",
    {
      spec: { securityContext: { runAsUser: 1, runAsGroup: 3, fsGroup: 7, supplementalGroups: [8, 7] } },
      container: {
        securityContext: {
          runAsUser: 1000,
          privileged: true,
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"], add: ["CAP_NET_ADMIN", "SYS_PTRACE"] },
          seccompProfile: { type: "Unconfined" },
        },
      },
    },
    "--user 1000:3 --group-add 7 --group-add 8 --privileged --cap-drop ALL --cap-add NET_ADMIN --cap-add SYS_PTRACE --read-only --security-opt label=disable --security-opt no-new-privileges --security-opt seccomp=unconfined img:1",
  ],
  [
    "podman adds nothing writable to a read-only root",
    "podman",
    { container: { securityContext: { readOnlyRootFilesystem: true } } },
    "--read-only --read-only-tmpfs=false",
  ],
  [
    "names and addresses",
    "docker",
    {
      spec: {
        hostname: "box",
        hostAliases: [{ ip: "10.0.0.1", hostnames: ["db", "cache"] }],
        dnsConfig: { nameservers: ["1.1.1.1"], searches: ["corp"], options: [{ name: "ndots", value: "2" }] },
      },
      container: { ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }] },
    },
    "--hostname box --add-host db:10.0.0.1 --add-host cache:10.0.0.1 --dns 1.1.1.1 --dns-search corp --dns-option ndots:2 --publish 8080:80/tcp --security-opt",
  ],
  [
    "mounts: the later one counts, whatever is in a path",
    "docker",
    {
      setup: {
        workingDir: "/work",
        mounts: [
          { path: "/work", source: "/first", readOnly: false },
          { path: "/data/", source: "/d", readOnly: true },
          { path: "/work/", source: '/a,"b', readOnly: false },
        ],
      },
    },
    '--mount type=bind,"source=/a,""b",target=/work/ --mount type=bind,source=/d,target=/data/,readonly --workdir /work img:1',
  ],
  [
    "variables: named, unless the program itself would obey them",
    "docker",
    {
      setup: {
        env: new Map([
          ["TOKEN", "s3cret"],
          ["PATH", "/x"],
          ["DOCKER_HOST", "tcp://x"],
          ["https_proxy", "p"],
          ["A*", "star"],
        ]),
      },
    },
    "--env TOKEN --env PATH=/x --env DOCKER_HOST=tcp://x --env https_proxy=p --env A*=star img:1",
  ],
])("%s (%s)", (_, program, one, expected) => {
  expect(words(program, one).args.join(" ")).toContain(expected);
});

test("values of named variables go by the program's environment", () => {
  expect(words("docker", { setup: { env: new Map([["TOKEN", "s3cret\nline"]]) } }).env).toEqual({
    TOKEN: "s3cret\nline",
  });
});

test("another container with the same files needs no name, network or limit of this one", () => {
  const { sharedFlags } = words("docker", {
    container: { resources: { limits: { cpu: 1 } } },
    setup: { workingDir: "/w", mounts: [{ path: "/w", source: "/s", readOnly: false }], env: new Map([["A", "b"]]) },
  });
  expect(sharedFlags.join(" ")).toBe(
    "--security-opt label=disable --env A --mount type=bind,source=/s,target=/w --workdir /w",
  );
});
