/** What a workflow needs and was not given: all of it at once, each with the flag that gives it. */

import type { ConfigMap, Secret } from "../../core/model/kube/core.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import type { Problem } from "../../core/std/problem.js";
import { positionText } from "../print/position-text.js";
import { shellWord } from "../print/shell-words.js";
import type { Definition } from "./checkout.js";
import type { Need, Reach } from "./references.js";

export interface MissingFacts {
  readonly reach: Reach;
  /** The object of that kind and name in the workflow's namespace (or given without one); undefined when there is none. */
  readonly given: (kind: Need["kind"], name: string) => KubeObject | undefined;
  readonly namespace: string;
  /** Where templates that were not given are defined nearby. */
  readonly nearby: ReadonlyMap<string, Definition>;
  /** How a file is named to the user. */
  readonly nameOf: (file: string) => string;
  /** `tiphys run ci.yaml`: the command to repeat. */
  readonly command: string;
}

/** Templates one by one, objects in one problem. */
export function missingProblems(facts: MissingFacts): readonly Problem[] {
  const lacking = facts.reach.needs.filter((need) => isLacking(need, facts));
  const templates = firstOfEach(lacking.filter(isTemplate));
  const objects = lacking.filter((need) => !isTemplate(need));
  return [...templates.map((need) => templateProblem(need, facts)), ...objectsProblem(objects, facts)];
}

/** Templates that are missing, as the search of the checkout wants them. */
export function missingTemplates(facts: Pick<MissingFacts, "reach" | "given">): ReadonlySet<string> {
  const lacking = facts.reach.needs.filter((need) => isTemplate(need) && isLacking(need, facts));
  return new Set(lacking.map(({ kind, name }) => `${kind}/${name}`));
}

function isTemplate(need: Need): boolean {
  return need.kind === "WorkflowTemplate" || need.kind === "ClusterWorkflowTemplate";
}

function isLacking(need: Need, { reach, given }: Pick<MissingFacts, "reach" | "given">): boolean {
  if (reach.created.has(`${need.kind}/${need.name}`)) return false;
  const object = given(need.kind, need.name);
  return object === undefined || (need.key !== "" && !hasKey(object, need.key));
}

function hasKey(object: KubeObject, key: string): boolean {
  const { data, binaryData, stringData }: Partial<Secret & ConfigMap> = object;
  return [data, binaryData, stringData].some((values) => values !== undefined && Object.hasOwn(values, key));
}

function firstOfEach(needs: readonly Need[]): readonly Need[] {
  const seen = new Set<string>();
  return needs.filter(({ kind, name }) => {
    const id = `${kind}/${name}`;
    return !seen.has(id) && seen.add(id);
  });
}

const SHORT_KINDS: Readonly<Record<Need["kind"], string>> = {
  Secret: "secret",
  ConfigMap: "cm",
  PersistentVolumeClaim: "pvc",
  WorkflowTemplate: "wftmpl",
  ClusterWorkflowTemplate: "cwft",
};

function templateProblem(need: Need, facts: MissingFacts): Problem {
  const definition = facts.nearby.get(`${need.kind}/${need.name}`);
  const hint =
    definition === undefined
      ? `add --with FILE (or a folder) that defines it, or from your cluster:\n${fromCluster([need], facts)}`
      : `${facts.nameOf(definition.file)}:${definition.line} defines it: add --with ${shellWord(folderOf(facts.nameOf(definition.file)))}`;
  const problem = {
    code: "no-template",
    severity: "error",
    path: "",
    message: `${need.kind} "${need.name}" was not given`,
    hint,
  } as const;
  return need.position === undefined ? problem : { ...problem, position: need.position };
}

/** A file beside the workflow is named itself; of a library in a folder of its own, the folder. */
function folderOf(file: string): string {
  const slash = file.lastIndexOf("/");
  return slash <= 0 ? file : file.slice(0, slash);
}

function objectsProblem(needs: readonly Need[], facts: MissingFacts): readonly Problem[] {
  if (needs.length === 0) return [];
  const objects = firstOfEach(needs);
  const listed = objects.map((object) => describe(object, needs, facts)).join(", ");
  const flags = objects.map((object) => flagFor(object, needs)).filter((flag) => flag !== "");
  const hint = [
    flags.length === 0 ? "from your cluster:" : `${flags.join(" ")}, or from your cluster:`,
    fromCluster(objects, facts),
    ...objects.filter(({ kind }) => kind === "PersistentVolumeClaim").map(claimHint),
  ].join("\n");
  return [{ code: "missing", severity: "error", path: "", message: `before step 1: ${listed}`, hint }];
}

/** `Secret db (key url, ci.yaml:70:15)` */
function describe(object: Need, needs: readonly Need[], { nameOf }: MissingFacts): string {
  const uses = needs.filter(({ kind, name }) => kind === object.kind && name === object.name);
  const keys = [...new Set(uses.map(({ key }) => key).filter((key) => key !== ""))];
  const keyText = keys.length === 0 ? "" : `${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")}`;
  const { position } = object;
  const place = position === undefined ? "" : positionText(position, nameOf);
  const about = [keyText, place].filter((text) => text !== "").join(", ");
  return `${object.kind} ${object.name}${about === "" ? "" : ` (${about})`}`;
}

/** A claim is a folder here, so that its name is all it takes. */
function claimHint({ name }: Need): string {
  return `or an empty folder for ${name}: --with a file that says {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}}, spec: {}}`;
}

/** What becomes files comes from a folder of files, unless it is also read key by key. */
function flagFor({ kind, name }: Need, needs: readonly Need[]): string {
  const areFiles = needs.every((need) => need.kind !== kind || need.name !== name || need.asFiles);
  if (kind === "Secret") return `--secret ${name}=${areFiles ? "DIR" : ".env"}`;
  return kind === "ConfigMap" ? `--configmap ${name}=DIR` : "";
}

function fromCluster(needs: readonly Need[], { namespace, command }: MissingFacts): string {
  const objects = needs.map(({ kind, name }) => `${SHORT_KINDS[kind]}/${name}`).join(" ");
  return `kubectl -n ${namespace} get ${objects} -o yaml > l.yaml; ${command} --with l.yaml`;
}
