/** Where a resource type lives: the paths and queries of Kubernetes' REST API. */

import type { ResourceType } from "../../core/model/resources.js";
import type { ListOptions, ObjectKey, WatchOptions, WriteOptions } from "../client.js";

/** The collection: of one namespace, or of all when `namespace` is left out. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope = type.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}${scope}/${type.plural}`;
}

/** One object, or a subresource of it (`status`, `log`). */
export function objectPath(type: ResourceType, key: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(type, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

export function listQuery(options: ListOptions): string {
  const { labelSelector, fieldSelector, limit, continue: token, resourceVersion } = options;
  return queryText({ labelSelector, fieldSelector, limit, continue: token, resourceVersion });
}

export function watchQuery(options: WatchOptions): string {
  const { labelSelector, fieldSelector, resourceVersion, allowBookmarks, timeoutSeconds } = options;
  const allowWatchBookmarks = allowBookmarks === true ? true : undefined;
  return queryText({ watch: true, labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks, timeoutSeconds });
}

export function writeQuery(options: WriteOptions): string {
  return queryText({ dryRun: options.dryRun === true ? "All" : undefined });
}

/** `?a=b&c=d`, or nothing; what is undefined is left out. */
export function queryText(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
