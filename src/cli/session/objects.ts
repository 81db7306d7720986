/** Puts what was given into a place: namespaces and accounts first, then the rest, then the workflows. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { type KnownKind, typesByKind } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { namespaces, serviceAccounts, workflows } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import { isAlreadyExists } from "../../kube/errors.js";
import { updateOnConflict } from "../../kube/update.js";
import type { Prepared } from "../load/prepare.js";

/** Kinds that only mean something in a place that stays. */
const ONLY_WHEN_UP: ReadonlySet<string> = new Set(["CronWorkflow"]);

export interface CreateOptions {
  /** "run": schedules are left out, they would never come due. */
  readonly place: "run" | "up";
}

/** What stands there already is brought to what was given. Answers the workflows as created. */
export async function createAll(
  client: Client,
  prepared: Pick<Prepared, "workflows" | "others">,
  options: CreateOptions,
): Promise<readonly Workflow[]> {
  const submitted = prepared.workflows.map(({ workflow }) => workflow);
  await createSurroundings(client, [...submitted, ...prepared.others]);
  await createOthers(client, prepared.others, options);
  const created: Workflow[] = [];
  for (const workflow of submitted) created.push(await client.create<Workflow>(workflows, workflow));
  return created;
}

export async function createOthers(
  client: Client,
  others: readonly KubeObject[],
  options: CreateOptions,
): Promise<void> {
  for (const object of others) {
    if (options.place === "run" && ONLY_WHEN_UP.has(object.kind)) continue;
    if (isKnown(object.kind)) await apply(client, object.kind, object);
  }
}

/** Namespaces and service accounts are made where they are named, as a cluster's administrator would have done. */
export async function createSurroundings(client: Client, objects: readonly KubeObject[]): Promise<void> {
  const names = new Set(objects.map(({ metadata }) => metadata.namespace ?? "default"));
  for (const name of names) {
    await createIfAbsent(client, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const object of objects) {
    const namespace = object.metadata.namespace ?? "default";
    for (const name of accountsIn(object)) {
      await createIfAbsent(client, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } });
    }
  }
}

async function createIfAbsent(client: Client, object: KubeObject): Promise<void> {
  const type = object.kind === "Namespace" ? namespaces : serviceAccounts;
  try {
    await client.create(type, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function accountsIn(object: KubeObject): ReadonlySet<string> {
  const text = JSON.stringify("spec" in object ? object.spec : {});
  const names = [...text.matchAll(/"serviceAccountName":"([^"{}]+)"/g)].map((match) => match[1] ?? "");
  return new Set(names);
}

async function apply(client: Client, kind: KnownKind, object: KubeObject): Promise<void> {
  const type = typesByKind[kind];
  const clean = withoutServerFields(object);
  const { name = "", namespace } = object.metadata;
  try {
    await client.create(type, clean);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const key = namespace === undefined ? { name } : { namespace, name };
    await updateOnConflict(client, { type, key }, (before) => ({
      ...clean,
      metadata: { ...before.metadata, labels: { ...before.metadata.labels, ...clean.metadata.labels } },
    }));
  }
}

/** What `kubectl get -o yaml` printed belongs to the cluster that it came from. */
function withoutServerFields(object: KubeObject): KubeObject {
  const { name, generateName, namespace, labels, annotations } = object.metadata;
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(generateName === undefined ? {} : { generateName }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...object, metadata };
}

function isKnown(kind: string): kind is KnownKind {
  return kind in typesByKind;
}
