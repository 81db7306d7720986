import { describe, expect, test } from "vitest";
import type { Template } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { Container, Pod } from "../model/kube/pod.js";
import { buildPod } from "./build.js";
import type { PodConfig, PodRequest } from "./request.js";

const container = { image: "busybox", command: ["sh", "-c"], args: ["true"] };
const config: PodConfig = { layout: "local", images: new Map(), statusFinalizer: true };

interface Given {
  readonly template?: Template;
  readonly spec?: WorkflowSpec;
  readonly request?: Partial<PodRequest>;
  readonly config?: Partial<PodConfig>;
}

function request(given: Given): PodRequest {
  return {
    workflow: { name: "wf", namespace: "argo", uid: "wf-uid" },
    spec: given.spec ?? {},
    node: { id: "wf-1", name: "wf.a", podName: "wf-a-1" },
    template: { name: "a", container, ...given.template },
    includeResult: false,
    onExit: false,
    retryGeneration: 2,
    ...given.request,
    config: { ...config, ...given.config },
  };
}

function build(given: Given = {}): Pod {
  const built = buildPod(request(given));
  if (!built.ok) throw new Error(built.error);
  return built.value;
}

function main(pod: Pod): Container {
  return pod.spec.containers.find(({ name }) => name === "main") as Container;
}

const names = (containers: readonly Container[] | undefined): readonly string[] =>
  (containers ?? []).map(({ name }) => name);
const env = (one: Container | undefined, name: string) => one?.env?.find((variable) => variable.name === name)?.value;

test("a step with nothing to stage and nothing to report is main alone", () => {
  expect(build()).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "wf-a-1",
      namespace: "argo",
      labels: { "workflows.argoproj.io/workflow": "wf", "workflows.argoproj.io/completed": "false" },
      annotations: {
        "workflows.argoproj.io/node-name": "wf.a",
        "workflows.argoproj.io/node-id": "wf-1",
        "tiphys.dev/retry-generation": "2",
        "kubectl.kubernetes.io/default-container": "main",
        "tiphys.dev/template": "a",
        "tiphys.dev/task-result": "none",
      },
      ownerReferences: [
        {
          apiVersion: "argoproj.io/v1alpha1",
          kind: "Workflow",
          name: "wf",
          uid: "wf-uid",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      finalizers: ["workflows.argoproj.io/status"],
    },
    spec: {
      restartPolicy: "Never",
      containers: [
        {
          name: "main",
          ...container,
          env: [
            { name: "ARGO_CONTAINER_NAME", value: "main" },
            { name: "ARGO_NODE_ID", value: "wf-1" },
            { name: "ARGO_WORKFLOW_NAME", value: "wf" },
            { name: "ARGO_INCLUDE_SCRIPT_OUTPUT", value: "false" },
            { name: "ARGO_DEADLINE", value: "0001-01-01T00:00:00Z" },
          ],
        },
      ],
    },
  });
});

describe("metadata", () => {
  const podGC = (spec: WorkflowSpec, own?: Partial<PodConfig>) =>
    build({ spec, ...(own === undefined ? {} : { config: own }) }).metadata.annotations?.[
      "workflows.argoproj.io/pod-gc-strategy"
    ];
  test.each<[WorkflowSpec, Partial<PodConfig> | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ podGC: { strategy: "OnPodCompletion" } }, undefined, "OnPodCompletion/5s"],
    [{ podGC: { strategy: "OnPodSuccess", deleteDelayDuration: 30 } }, undefined, "OnPodSuccess/30s"],
    [{ podGC: { strategy: "OnPodSuccess", deleteDelayDuration: "90s" } }, undefined, "OnPodSuccess/1m30s"],
    [{ podGC: { strategy: "OnPodSuccess" } }, { podGCDeleteDelayMs: 0 }, "OnPodSuccess/0s"],
    [{ podGC: {} }, undefined, "/5s"],
  ])("podGC %j", (spec, own, expected) => {
    expect(podGC(spec, own)).toBe(expected);
  });
  test("the workflow's, then the template's; exit handler, instance", () => {
    const { labels, annotations } = build({
      spec: { podMetadata: { labels: { a: "1", b: "1" }, annotations: { c: "1" } } },
      template: { metadata: { labels: { b: "2" }, annotations: { d: "2" } } },
      request: { onExit: true },
      config: { instanceId: "blue" },
    }).metadata;
    expect(labels).toMatchObject({
      a: "1",
      b: "2",
      "workflows.argoproj.io/on-exit": "true",
      "workflows.argoproj.io/controller-instanceid": "blue",
    });
    expect(annotations).toMatchObject({ c: "1", d: "2" });
  });
  test("only adding the finalizer is optional", () => {
    expect(build({ config: { statusFinalizer: false } }).metadata.finalizers).toBeUndefined();
  });
});

describe("template, else boundary template, else workflow", () => {
  const three = {
    spec: { nodeSelector: { on: "spec" } },
    request: { boundaryTemplate: { nodeSelector: { on: "boundary" } } },
  };
  test.each<[string, Given, Partial<Pod["spec"]>]>([
    ["template", { ...three, template: { nodeSelector: { on: "template" } } }, { nodeSelector: { on: "template" } }],
    ["boundary", three, { nodeSelector: { on: "boundary" } }],
    ["workflow", { spec: three.spec }, { nodeSelector: { on: "spec" } }],
    ["tolerations", { spec: { tolerations: [{ key: "x" }] } }, { tolerations: [{ key: "x" }] }],
    ["affinity", { template: { affinity: { podAffinity: {} } } }, { affinity: { podAffinity: {} } }],
    [
      "service account",
      { spec: { serviceAccountName: "s" }, template: { serviceAccountName: "t" } },
      { serviceAccountName: "t" },
    ],
    ["token", { spec: { automountServiceAccountToken: false } }, { automountServiceAccountToken: false }],
    ["priority class", { spec: { podPriorityClassName: "low" } }, { priorityClassName: "low" }],
    ["scheduler", { spec: { schedulerName: "a" }, template: { schedulerName: "b" } }, { schedulerName: "b" }],
    [
      "security",
      { spec: { securityContext: { runAsUser: 1 } }, template: { securityContext: {} } },
      { securityContext: {} },
    ],
    ["resources", { spec: { podResources: { limits: { cpu: 1 } } } }, { resources: { limits: { cpu: 1 } } }],
    ["network", { spec: { hostNetwork: true, dnsPolicy: "None" } }, { hostNetwork: true, dnsPolicy: "None" }],
    ["pull secrets", { spec: { imagePullSecrets: [{ name: "p" }] } }, { imagePullSecrets: [{ name: "p" }] }],
    [
      "host aliases",
      { spec: { hostAliases: [{ ip: "1.1.1.1" }] }, template: { hostAliases: [{ ip: "2.2.2.2" }] } },
      { hostAliases: [{ ip: "1.1.1.1" }, { ip: "2.2.2.2" }] },
    ],
  ])("%s", (_name, given, expected) => {
    expect(build(given).spec).toMatchObject(expected);
  });
  test("hosts of failed attempts are kept away from, in each alternative", () => {
    const term = { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term, {}] } };
    const { affinity } = build({
      template: { retryStrategy: { affinity: { nodeAntiAffinity: {} } }, affinity: { nodeAffinity: required } },
      request: { excludedHosts: ["n1", "n2"] },
    }).spec;
    const away = { key: "kubernetes.io/hostname", operator: "NotIn", values: ["n1", "n2"] };
    expect(affinity).toEqual({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [...term.matchExpressions, away] }, { matchExpressions: [away] }],
        },
      },
    });
    expect(build({ request: { excludedHosts: ["n1"] } }).spec.affinity).toBeUndefined();
  });
});

describe("deadline", () => {
  test.each<[string, Given, number | undefined]>([
    ["none", {}, undefined],
    ["template", { template: { activeDeadlineSeconds: 5 } }, 5],
    ["template, as text", { template: { activeDeadlineSeconds: "7" } }, 7],
    ["what is left is less", { template: { activeDeadlineSeconds: 5 }, request: { secondsLeft: 3 } }, 3],
    ["what is left alone", { request: { secondsLeft: 9 } }, 9],
    [
      "paused for debugging",
      {
        template: { container: { ...container, env: [{ name: "ARGO_DEBUG_PAUSE_AFTER", value: "true" }] } },
        request: { secondsLeft: 9 },
      },
      undefined,
    ],
  ])("%s", (_name, given, expected) => {
    expect(build(given).spec.activeDeadlineSeconds).toBe(expected);
  });
});

describe("commands of images", () => {
  const images = new Map([
    ["both", { entrypoint: ["/entry"], cmd: ["cmd"] }],
    ["cmd", { cmd: ["run", "now"] }],
  ]);
  const of = (image: string, args?: readonly string[]): Given => ({
    template: { container: { image, ...(args === undefined ? {} : { args }) } },
    config: { images },
  });
  test.each<[string, Given, readonly string[], readonly string[]]>([
    ["entrypoint and cmd", of("both"), ["/entry"], ["cmd"]],
    ["entrypoint with own args", of("both", ["x"]), ["/entry"], ["x"]],
    ["an empty list of args is a choice", of("both", []), ["/entry"], []],
    ["cmd alone", of("cmd"), ["run"], ["now"]],
  ])("%s", (_name, given, command, args) => {
    expect(main(build(given))).toMatchObject({ command, args });
  });
  test("left to a runtime that knows its images", () => {
    expect(main(build({ ...of("unknown"), config: { images, missingCommand: "image" } })).command).toBeUndefined();
  });
});

describe("errors become the node's message", () => {
  test.each<[string, Given, string | RegExp]>([
    [
      "no command",
      { template: { container: { image: "x" } } },
      /^failed to look-up entrypoint\/cmd for image "x", you must either/,
    ],
    ["a sidecar without one", { template: { sidecars: [{ name: "s", image: "y" }] } }, /image "y"/],
    [
      "an unknown volume",
      { template: { container: { ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] } } },
      "volume 'v' not found in workflow spec",
    ],
    ["no whole seconds", { template: { activeDeadlineSeconds: "1.5" } }, /activeDeadlineSeconds/],
    ["an open tag", { request: { archiveLocation: { s3: { key: "{{pod.nme}}/x" } } } }, /\{\{pod\.nme\}\}/],
  ])("%s", (_name, given, message) => {
    const built = buildPod(request(given));
    expect(built.ok ? "built" : built.error).toMatch(message);
  });
  test("a kind without containers", () => {
    const { container: _container, ...template } = request({ template: { suspend: {} } }).template;
    expect(buildPod({ ...request({}), template })).toMatchObject({ ok: false });
  });
});

describe("the local layout", () => {
  test("a script lies in a file that is the last argument", () => {
    const { container: _container, ...rest } = request({}).template;
    const template: Template = {
      ...rest,
      script: { image: "python", command: ["python"], args: ["-u"], source: "print(1)" },
    };
    const pod = buildPod({ ...request({}), template });
    if (!pod.ok) throw new Error(pod.error);
    expect(main(pod.value)).toMatchObject({
      command: ["python"],
      args: ["-u", "/argo/staging/script"],
      volumeMounts: [{ name: "argo-staging", mountPath: "/argo/staging" }],
    });
    expect(main(pod.value)).not.toHaveProperty("source");
    expect(names(pod.value.spec.initContainers)).toEqual(["init"]);
    expect(pod.value.spec.initContainers?.[0]).toMatchObject({
      image: "tiphys.local/init",
      volumeMounts: [{ name: "argo-staging", mountPath: "/argo/staging" }],
    });
    expect(pod.value.spec.volumes).toEqual([{ name: "argo-staging", emptyDir: {} }]);
    expect(JSON.parse(env(pod.value.spec.initContainers?.[0], "ARGO_TEMPLATE") ?? "{}")).toMatchObject({
      script: { source: "print(1)" },
    });
  });

  test("of a script's dollar signs Kubernetes finds none to expand", () => {
    const source = "kill $$; echo $(date) $HOME";
    const built = build({ template: { script: { image: "bash", command: ["bash"], source } } });
    const text = env(built.spec.initContainers?.[0], "ARGO_TEMPLATE") ?? "";
    expect(text).not.toContain("$");
    expect(JSON.parse(text)).toMatchObject({ script: { source } });
  });

  test("input artifacts at their paths; inside a mount of the user's, init writes them there", () => {
    const pod = build({
      template: {
        volumes: [{ name: "work", emptyDir: {} }],
        container: { ...container, volumeMounts: [{ name: "work", mountPath: "/work", readOnly: true }] },
        inputs: {
          parameters: [{ name: "secret", value: "s3cret" }],
          artifacts: [
            { name: "a", path: "/tmp/a", raw: { data: "x" } },
            { name: "b", path: "/work/b", raw: { data: "y" } },
            { name: "none", path: "/none", optional: true },
          ],
        },
      },
    });
    expect(main(pod).volumeMounts).toEqual([
      { name: "work", mountPath: "/work", readOnly: true },
      { name: "input-artifacts", mountPath: "/tmp/a", subPath: "a" },
    ]);
    expect(pod.spec.initContainers?.[0]?.volumeMounts).toEqual([
      { name: "input-artifacts", mountPath: "/argo/inputs/artifacts" },
      { name: "work", mountPath: "/mainctrfs/work" },
    ]);
    expect(env(pod.spec.initContainers?.[0], "ARGO_TEMPLATE")).not.toContain("s3cret");
    expect(names(pod.spec.containers)).toEqual(["main"]);
  });

  test.each<[string, Given, boolean]>([
    [
      "an output parameter from a file",
      { template: { outputs: { parameters: [{ name: "p", valueFrom: { path: "/p" } }] } } },
      true,
    ],
    ["an output artifact", { template: { outputs: { artifacts: [{ name: "a", path: "/a" }] } } }, true],
    ["a captured result", { request: { includeResult: true } }, true],
    ["archived logs", { request: { archiveLocation: { archiveLogs: true } } }, true],
    ["an archive location without logs", { request: { archiveLocation: { archiveLogs: false } } }, false],
    ["nothing", {}, false],
  ])("wait stands behind main only where it has work: %s", (_name, given, needed) => {
    const pod = build(given);
    expect(names(pod.spec.containers)).toEqual(needed ? ["main", "wait"] : ["main"]);
    expect(pod.metadata.annotations?.["tiphys.dev/task-result"]).toBe(needed ? undefined : "none");
    if (needed) {
      const wait = pod.spec.containers[1];
      expect(wait?.image).toBe("tiphys.local/wait");
      expect(env(wait, "ARGO_WORKFLOW_UID")).toBe("wf-uid");
      expect(env(wait, "ARGO_POD_NAME")).toBe("wf-a-1");
    }
  });

  test("sidecars and init containers; mirrored mounts, but not over their own", () => {
    const pod = build({
      template: {
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", emptyDir: {} },
        ],
        container: { ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] },
        initContainers: [{ name: "i", image: "b", command: ["c"] }],
        sidecars: [
          {
            name: "s",
            image: "b",
            command: ["c"],
            mirrorVolumeMounts: true,
            volumeMounts: [{ name: "w", mountPath: "/w" }],
          },
          {
            name: "t",
            image: "b",
            command: ["c"],
            mirrorVolumeMounts: true,
            volumeMounts: [{ name: "w", mountPath: "/v" }],
          },
        ],
        outputs: { artifacts: [{ name: "a", path: "/a" }] },
      },
    });
    expect(names(pod.spec.initContainers)).toEqual(["i"]);
    expect(names(pod.spec.containers)).toEqual(["main", "s", "t", "wait"]);
    expect(pod.spec.containers[1]?.volumeMounts).toEqual([
      { name: "w", mountPath: "/w" },
      { name: "v", mountPath: "/v" },
    ]);
    expect(pod.spec.containers[2]?.volumeMounts).toEqual([{ name: "w", mountPath: "/v" }]);
    expect(pod.spec.containers[1]).not.toHaveProperty("mirrorVolumeMounts");
  });

  test("volumes: the template's own, and what is mounted of the workflow's and of the claims", () => {
    const mounts = ["own", "shared", "claim"].map((name) => ({ name, mountPath: `/${name}` }));
    const pod = build({
      template: { volumes: [{ name: "own", emptyDir: {} }], container: { ...container, volumeMounts: mounts } },
      spec: {
        volumes: [
          { name: "shared", emptyDir: {} },
          { name: "unused", emptyDir: {} },
        ],
      },
      request: { claims: [{ name: "claim", persistentVolumeClaim: { claimName: "wf-claim" } }] },
    });
    expect(pod.spec.volumes?.map(({ name }) => name)).toEqual(["own", "shared", "claim"]);
  });

  test("credentials of what is reached over the network here; none of stores that are folders here", () => {
    const secret = (name: string) => ({ name, key: "k" });
    const http = {
      url: "http://x",
      auth: { basicAuth: { usernameSecret: secret("web"), passwordSecret: secret("web") } },
    };
    const pod = build({
      template: {
        inputs: {
          artifacts: [
            { name: "a", path: "/a", http },
            { name: "b", path: "/b", s3: { accessKeySecret: secret("s3") } },
          ],
        },
      },
    });
    expect(pod.spec.volumes?.map(({ name }) => name)).toEqual(["input-artifacts", "web"]);
    expect(pod.spec.initContainers?.[0]?.volumeMounts).toContainEqual({
      name: "web",
      mountPath: "/argo/secret/web",
      readOnly: true,
    });
  });

  test("the user's own environment comes last, so that it may refer to ours", () => {
    const own = { name: "ID", value: "$(ARGO_NODE_ID)" };
    expect(main(build({ template: { container: { ...container, env: [own] } } })).env?.at(-1)).toEqual(own);
  });
});

test("the same request gives the same pod, and the request is left as it was", () => {
  const given = request({ template: { outputs: { artifacts: [{ name: "a", path: "/a" }] } } });
  const before = JSON.stringify({ ...given, config: null });
  expect(buildPod(given)).toEqual(buildPod(given));
  expect(JSON.stringify({ ...given, config: null })).toBe(before);
});
