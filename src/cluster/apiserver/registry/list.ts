/** GET of one object and of many, page by page. */

import type { ResourceType } from "../../../core/model/resources.js";
import { compareUtf8 } from "../../../core/std/order.js";
import type { ListOptions } from "../../../kube/client.js";
import { ApiError } from "../../../kube/errors.js";
import { typeName } from "../../../kube/key.js";
import type { Collection } from "../storage/collection.js";
import type { StoredObject } from "../storage/stored-object.js";
import type { Target } from "./commit.js";
import { pathOf, type RegistryContext } from "./context.js";
import { readToken, tokenOf } from "./continue-token.js";
import { type Filter, filterOf } from "./filter.js";
import { badRequest, expired, notFound } from "./refusals.js";

export interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  readonly continue?: string;
}

/** The newest committed state. Throws NotFound. */
export function get({ ledger }: RegistryContext, { type, namespace, name }: Target): StoredObject {
  const found = ledger.collection(typeName(type)).entries.get(pathOf(namespace, name))?.committed;
  if (found === undefined) throw notFound(type, name);
  return found;
}

/**
 * All pages of one list show the same revision. Throws BadRequest for what cannot be read, and Expired when the
 * revision of a page is no longer kept.
 */
export function list(context: RegistryContext, type: ResourceType, options: ListOptions): Page {
  const { ledger } = context;
  const filter = filterOf(type, options);
  const collection = ledger.collection(typeName(type));
  const token = isSet(options.continue) ? readToken(options.continue) : undefined;
  const revision = token?.revision ?? ledger.revision;
  if (token === undefined) checkRevision(options.resourceVersion, ledger.revision);
  if (revision < ledger.floor) {
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. Start a new list without the continue parameter.",
    );
  }
  const snapshot = snapshotAt(collection, revision);
  return pageOf(snapshot, { filter, limit: limitOf(options.limit), after: token?.path, revision });
}

interface Snapshot {
  readonly paths: readonly string[];
  readonly at: (path: string) => StoredObject | undefined;
}

/** The collection as it was at `revision`: what happened since is taken back. */
function snapshotAt(collection: Collection, revision: number): Snapshot {
  const { events } = collection;
  const changed = new Map<string, StoredObject | undefined>();
  for (let number = events.end - 1; number >= events.after(revision); number--) {
    const event = events.at(number);
    if (event !== undefined) changed.set(pathOfObject(event.last), event.before);
  }
  const current = (path: string): StoredObject | undefined => collection.entries.get(path)?.committed;
  if (changed.size === 0) return { paths: collection.paths(), at: current };
  const paths = [...new Set([...collection.paths(), ...changed.keys()])].sort(compareUtf8);
  return { paths, at: (path) => (changed.has(path) ? changed.get(path) : current(path)) };
}

function pathOfObject({ bare }: StoredObject): string {
  return pathOf(bare.metadata.namespace, bare.metadata.name ?? "");
}

interface PageRequest {
  readonly filter: Filter;
  readonly limit: number;
  /** The last path of the page before. */
  readonly after: string | undefined;
  readonly revision: number;
}

function pageOf({ paths, at }: Snapshot, { filter, limit, after, revision }: PageRequest): Page {
  const items: StoredObject[] = [];
  let last = "";
  for (const path of paths) {
    if (after !== undefined && compareUtf8(path, after) <= 0) continue;
    const object = at(path);
    if (object === undefined || !filter(object.bare)) continue;
    if (items.length === limit) return { items, revision, continue: tokenOf({ revision, path: last }) };
    items.push(object);
    last = path;
  }
  return { items, revision };
}

function limitOf(limit: number | undefined): number {
  if (limit === undefined || limit === 0) return Number.POSITIVE_INFINITY;
  if (!Number.isInteger(limit) || limit < 0)
    throw badRequest(`limit: Invalid value: ${limit}: must be greater than or equal to 0`);
  return limit;
}

/** "0" and nothing mean the newest here; a revision of the future will not be waited for. */
export function checkRevision(text: string | undefined, newest: number): number {
  if (!isSet(text)) return 0;
  if (!/^[0-9]{1,15}$/.test(text))
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: resourceVersion must be a number`);
  const revision = Number(text);
  if (revision > newest) {
    throw new ApiError(504, "Timeout", `Too large resource version: ${revision}, current: ${newest}`, 1);
  }
  return revision;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
