/** Random writes against a server, told one by one, so that what a crash left can be judged afterwards. */

import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../../core/model/kube/meta.js";
import { argoTypes, builtInTypes, configMaps, type ResourceType, workflows } from "../../../core/model/resources.js";
import type { Client } from "../../../kube/client.js";
import type { Chance } from "../../../kube/clock.js";
import { ApiError } from "../../../kube/errors.js";
import type { ServerOptions } from "../index.js";

export type Report =
  /** About to be asked for; `token` is in the object that would come of it. */
  | { readonly kind: "asked"; readonly path: string; readonly token: string; readonly isDelete: boolean }
  /** Nothing came of it, and nothing will. */
  | { readonly kind: "refused"; readonly token: string }
  /** Acknowledged: the object as it was answered, or seen in a watch. */
  | { readonly kind: "done"; readonly path: string; readonly object: KubeObject; readonly isDeleted: boolean };

/** What both stores are tried with; history is short, so that garbage is dropped as well. */
export const workloadServer = {
  types: [...builtInTypes, ...argoTypes],
  rowFields: [{ type: workflows, path: "status.nodes" }],
  history: { events: 10, bytes: 1_000_000 },
} satisfies Partial<ServerOptions>;

const namespace = "default";
const names = ["a", "b", "c", "d"];
const nodes = ["n0", "n1", "n2", "n3", "n4", "n5"];

/** `writes` writes by four writers at once, each of its own mind. Deletions are reported as watches show them. */
export async function workload(
  client: Client,
  chance: Chance,
  writes: number,
  report: (report: Report) => void,
): Promise<void> {
  let left = writes;
  const over = new AbortController();
  const watches = [configMaps, workflows].map((type) => watchType(client, type, over.signal, report));
  const writer = async (): Promise<void> => {
    while (left-- > 0) await write(client, chance, report);
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
  over.abort();
  await Promise.all(watches);
}

async function watchType(
  client: Client,
  type: ResourceType,
  signal: AbortSignal,
  report: (report: Report) => void,
): Promise<void> {
  const { resourceVersion } = await client.list(type);
  for await (const event of client.watch(type, { resourceVersion, signal })) {
    if (event.type === "BOOKMARK") continue;
    const path = `${type.plural}/${event.object.metadata.name}`;
    report({ kind: "done", path, object: event.object, isDeleted: event.type === "DELETED" });
  }
}

async function write(client: Client, chance: Chance, report: (report: Report) => void): Promise<void> {
  const type = chance.next() < 0.5 ? configMaps : workflows;
  const key = { namespace, name: pick(names, chance) };
  const path = `${type.plural}/${key.name}`;
  const token = chance.uuid();
  const isDelete = chance.next() < 0.15;
  report({ kind: "asked", path, token, isDelete });
  try {
    if (isDelete) await client.delete(type, key);
    else report({ kind: "done", path, object: await put(client, { type, key, token }, chance), isDeleted: false });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    report({ kind: "refused", token });
  }
}

interface Put {
  readonly type: ResourceType;
  readonly key: { readonly namespace: string; readonly name: string };
  readonly token: string;
}

async function put(client: Client, { type, key, token }: Put, chance: Chance): Promise<KubeObject> {
  const body = {
    metadata: { annotations: { token } },
    ...(type === workflows && { status: nodeChanges(chance, token) }),
  };
  try {
    return await client.patch(type, key, { type: "merge", body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
  const object = { ...body, apiVersion: "", kind: type.kind, metadata: { ...key, annotations: { token } } };
  const apiVersion = type.group === "" ? type.version : `${type.group}/${type.version}`;
  return client.create(type, { ...object, apiVersion });
}

function nodeChanges(chance: Chance, token: string) {
  if (chance.next() < 0.05) return { nodes: null };
  const changed = nodes.filter(() => chance.next() < 0.4);
  return { nodes: Object.fromEntries(changed.map((id) => [id, chance.next() < 0.2 ? null : { id, token }])) };
}

function pick<T>(items: readonly T[], chance: Chance): T {
  const item = items[Math.floor(chance.next() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export interface Judgement {
  /** Empty when all is right. */
  readonly faults: readonly string[];
  /** What the next life begins with. */
  readonly found: readonly Report[];
}

/** What is found after a crash must hold each acknowledged write, or a later one that was asked for. */
export async function judged(client: Client, reports: readonly Report[]): Promise<Judgement> {
  const faults: string[] = [];
  const found = new Map<string, KubeObject>();
  let revision = 0;
  for (const type of [configMaps, workflows]) {
    const list = await client.list(type);
    for (const object of list.items) found.set(`${type.plural}/${object.metadata.name}`, object);
    revision = Number(list.resourceVersion);
  }
  const acknowledged = newestOf(reports);
  for (const path of new Set([...found.keys(), ...acknowledged.keys()])) {
    const fault = faultOf(found.get(path), acknowledged.get(path), askedFor(reports, path));
    if (fault !== undefined) faults.push(`${path}: ${fault}`);
  }
  const newest = Math.max(0, ...[...acknowledged.values()].map(({ object }) => revisionOf(object)));
  if (revision < newest) faults.push(`the log ends at ${revision}, and ${newest} was acknowledged`);
  return { faults, found: [...found].flatMap(([path, object]) => asFound(path, object)) };
}

function asFound(path: string, object: KubeObject): readonly Report[] {
  const token = object.metadata.annotations?.["token"] ?? "";
  return [
    { kind: "asked", path, token, isDelete: false },
    { kind: "done", path, object, isDeleted: false },
  ];
}

type Done = Extract<Report, { readonly kind: "done" }>;

/** By path, what was acknowledged last. */
function newestOf(reports: readonly Report[]): ReadonlyMap<string, Done> {
  const newest = new Map<string, Done>();
  for (const report of reports) {
    if (report.kind !== "done") continue;
    const known = newest.get(report.path);
    if (known === undefined || revisionOf(report.object) > revisionOf(known.object)) newest.set(report.path, report);
  }
  return newest;
}

function revisionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion ?? 0);
}

interface Asked {
  readonly tokens: ReadonlySet<string>;
  /** A deletion was asked for and not answered. */
  readonly mayBeDeleted: boolean;
}

function askedFor(reports: readonly Report[], path: string): Asked {
  const refused = new Set(reports.flatMap((report) => (report.kind === "refused" ? [report.token] : [])));
  const asked = reports.flatMap((report) => (report.kind === "asked" && report.path === path ? [report] : []));
  const deletions = asked.filter(({ isDelete, token }) => isDelete && !refused.has(token));
  const deleted = reports.filter((report) => report.kind === "done" && report.path === path && report.isDeleted);
  return {
    tokens: new Set(asked.filter(({ isDelete }) => !isDelete).map(({ token }) => token)),
    mayBeDeleted: deletions.length > deleted.length,
  };
}

function faultOf(found: KubeObject | undefined, wanted: Done | undefined, asked: Asked): string | undefined {
  if (found === undefined) return faultOfAbsence(wanted, asked);
  const token = found.metadata.annotations?.["token"] ?? "";
  if (!asked.tokens.has(token)) return "holds what nobody asked for";
  return wanted === undefined ? undefined : faultOfDifference(found, wanted);
}

function faultOfAbsence(wanted: Done | undefined, asked: Asked): string | undefined {
  if (wanted === undefined || wanted.isDeleted || asked.mayBeDeleted) return undefined;
  return "an acknowledged write is lost";
}

function faultOfDifference(found: KubeObject, wanted: Done): string | undefined {
  if (revisionOf(found) > revisionOf(wanted.object)) return undefined;
  if (revisionOf(found) < revisionOf(wanted.object)) return "is older than what was acknowledged";
  if (wanted.isDeleted) return "was deleted";
  return isDeepStrictEqual(plain(found), plain(wanted.object)) ? undefined : "differs from what was acknowledged";
}

/** As it is over HTTP. */
function plain(object: KubeObject): unknown {
  return JSON.parse(JSON.stringify(object));
}
