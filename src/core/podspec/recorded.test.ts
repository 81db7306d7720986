/** The pods that Argo made for the same templates: whatever a layout does not decide is the same. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { Container, Pod } from "../model/kube/pod.js";
import { formatQuantity, parseQuantity } from "../std/quantity.js";
import { buildPod } from "./build.js";
import type { ImageCommand, PodRequest } from "./request.js";

interface Recording {
  readonly name: string;
  readonly submitted: Workflow;
  readonly nodes?: readonly (NodeStatus & { readonly boundaryName?: string })[];
  readonly pods?: readonly Pod[];
}

const folder = runsFolder();

/** Beside the repository, in one of the folders above it; undefined when this machine has none. */
function runsFolder(): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(at, "shared", "argo", "runs");
    if (existsSync(candidate)) return candidate;
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
}

function recordings(): readonly Recording[] {
  if (folder === undefined) return [];
  return ["examples", "variants"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => JSON.parse(readFileSync(join(folder, part, file), "utf8")) as Recording),
  );
}

/** The table that Argo's controller had. */
const images = imagesOf(folder);

function imagesOf(runs: string | undefined): PodRequest["config"]["images"] {
  if (runs === undefined) return new Map();
  const map = JSON.parse(readFileSync(join(runs, "controller-configmap.json"), "utf8")) as { data: { images: string } };
  return new Map(Object.entries(JSON.parse(map.data.images) as Record<string, ImageCommand>));
}

const annotation = (pod: Pod, name: string): string =>
  pod.metadata.annotations?.[`workflows.argoproj.io/${name}`] ?? "";

/** The template as Argo executed it; its executor got it whole but for the input parameters. */
function executedTemplate(pod: Pod): Template | undefined {
  const init = pod.spec.initContainers?.find(({ name }) => name === "init");
  const text = init?.env?.find(({ name }) => name === "ARGO_TEMPLATE")?.value;
  return text === undefined ? undefined : (JSON.parse(text) as Template);
}

function requestFor(recording: Recording, pod: Pod, template: Template): PodRequest {
  const { metadata, spec } = recording.submitted;
  const node = recording.nodes?.find(({ id }) => id === annotation(pod, "node-id"));
  const boundary = recording.nodes?.find(({ name }) => name === node?.boundaryName);
  const boundaryTemplate = spec.templates?.find(({ name }) => name === boundary?.templateName);
  const main = pod.spec.containers.find(({ name }) => name === "main");
  const seconds = pod.spec.activeDeadlineSeconds;
  return {
    workflow: { name: metadata.name ?? "", namespace: "argo", uid: "<uid>" },
    spec,
    node: { id: annotation(pod, "node-id"), name: annotation(pod, "node-name"), podName: pod.metadata.name ?? "" },
    template,
    ...(boundaryTemplate === undefined ? {} : { boundaryTemplate }),
    includeResult:
      main?.env?.some(({ name, value }) => name === "ARGO_INCLUDE_SCRIPT_OUTPUT" && value === "true") ?? false,
    onExit: pod.metadata.labels?.["workflows.argoproj.io/on-exit"] === "true",
    ...(seconds === undefined ? {} : { secondsLeft: seconds }),
    retryGeneration: 0,
    config: { layout: "local", images, statusFinalizer: false },
  };
}

const argoVolume =
  /^(var-run-argo|tmp-dir-argo|my-.*-cred(entials)?|argo-staging|input-artifacts|kube-api-access.*|exec-sa-token)$/;

/** What a layout leaves alone, without the API server's defaults. */
function comparable(pod: Pod): object {
  const { metadata, spec } = pod;
  const labels = { ...metadata.labels };
  delete labels["workflows.argoproj.io/completed"];
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !/trace-id|span-id|tiphys/.test(name),
  );
  const users = spec.containers.filter(({ name }) => !["wait", "init"].includes(name));
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    labels,
    annotations: Object.fromEntries(annotations),
    owners: metadata.ownerReferences,
    restartPolicy: spec.restartPolicy,
    nodeSelector: spec.nodeSelector,
    tolerations: (spec.tolerations ?? []).filter(({ key }) => !String(key).startsWith("node.kubernetes.io/")),
    serviceAccount: spec.serviceAccountName ?? "default",
    token: spec.automountServiceAccountToken,
    imagePullSecrets: spec.imagePullSecrets,
    hostNetwork: spec.hostNetwork,
    dnsConfig: spec.dnsConfig,
    resources: spec.resources?.limits ?? spec.resources?.requests,
    resourceClaims: spec.resourceClaims,
    activeDeadlineSeconds: spec.activeDeadlineSeconds,
    volumes: (spec.volumes ?? [])
      .map(({ name }) => name)
      .filter((name) => !argoVolume.test(name))
      .sort(),
    initContainers: (spec.initContainers ?? []).filter(({ name }) => name !== "init").map(userContainer),
    containers: users.map(userContainer).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function userContainer({
  name,
  image,
  command = [],
  args = [],
  env = [],
  volumeMounts = [],
  resources,
  workingDir,
}: Container) {
  const own = command.indexOf("--");
  const isWrapped = command[0] === "/var/run/argo/argoexec";
  const added = /^(ARGO_.*|TRACE.*)$/;
  return {
    name,
    image,
    command: isWrapped ? command.slice(own + 1) : command,
    args,
    env: env.filter((one) => !added.test(one.name)).map((one) => one.name),
    mounts: volumeMounts
      .filter((mount) => !/^(var-run-argo|kube-api-access.*)$/.test(mount.name))
      .map((mount) => `${mount.name}:${mount.mountPath}:${mount.subPath ?? ""}`)
      .sort(),
    // The API server sets requests to limits where they are left out.
    requests: canonical({ ...resources?.limits, ...resources?.requests }),
    workingDir,
  };
}

/** As the API server writes quantities: `2000m` is `2`. */
function canonical(quantities: Readonly<Record<string, number | string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, text]) => {
      const quantity = parseQuantity(String(text));
      return [name, quantity.ok ? formatQuantity(quantity.value) : String(text)];
    }),
  );
}

/** Templates that live elsewhere, and what another test covers. */
function isLeftOut({ submitted }: Recording, template: Template): boolean {
  const elsewhere = submitted.spec.workflowTemplateRef !== undefined || submitted.spec.templates === undefined;
  const hasVariables = /\{\{/.test(JSON.stringify({ ...submitted.spec, templates: [], arguments: {} }));
  const claims = submitted.spec.volumeClaimTemplates !== undefined;
  return elsewhere || hasVariables || claims || (template.container ?? template.script) === undefined;
}

let compared = 0;
for (const recording of recordings()) {
  const pairs = (recording.pods ?? []).flatMap((pod) => {
    const template = executedTemplate(pod);
    return template === undefined || isLeftOut(recording, template) ? [] : [{ pod, template }];
  });
  if (pairs.length === 0) continue;
  test(recording.name, () => {
    for (const { pod, template } of pairs) {
      const built = buildPod(requestFor(recording, pod, template));
      if (!built.ok) throw new Error(built.error);
      expect(JSON.parse(JSON.stringify(comparable(built.value)))).toEqual(JSON.parse(JSON.stringify(comparable(pod))));
      compared++;
    }
  });
}

test("hundreds of pods were compared, or there are no recordings on this machine", () => {
  if (folder === undefined) expect(compared).toBe(0);
  else expect(compared).toBeGreaterThan(400);
});
