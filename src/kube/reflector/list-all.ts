/** A whole list, fetched in pages, so that neither side holds more than a page in transit. */

import type { KubeObject } from "../../core/model/kube/meta.js";
import type { ResourceType } from "../../core/model/resources.js";
import type { Client, ListOptions, ObjectList } from "../client.js";
import { isGone } from "../errors.js";

export const defaultPageSize = 500;

/**
 * All objects `options` select, at one revision. When a continue token has expired the list is begun again in one
 * piece, which always comes to an end.
 */
export async function listAll<T extends KubeObject>(
  client: Pick<Client, "list">,
  type: ResourceType,
  options: Omit<ListOptions, "continue"> = {},
): Promise<ObjectList<T>> {
  const { limit = defaultPageSize, resourceVersion, ...selection } = options;
  const start = resourceVersion === undefined ? selection : { ...selection, resourceVersion };
  const first = await client.list<T>(type, { ...start, limit });
  const items = [...first.items];
  let token = first.continue;
  while (token !== undefined && token !== "") {
    try {
      const page = await client.list<T>(type, { ...selection, limit, continue: token });
      items.push(...page.items);
      token = page.continue;
    } catch (error) {
      if (!isGone(error)) throw error;
      return client.list<T>(type, start);
    }
  }
  // The first page's revision is the safe one to watch from, should a server not keep to it for the others.
  return { items, resourceVersion: first.resourceVersion };
}
