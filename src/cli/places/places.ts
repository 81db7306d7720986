/** All places of this user, newest first, and the workflows in them. */

import { basename } from "node:path";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { compareUtf8 } from "../../core/std/order.js";
import type { Context } from "../context.js";
import type { PlaceHandle, PlaceHost } from "../ports.js";
import { type ListRow, listRow } from "../print/list.js";
import { lostStatus } from "../print/status-text.js";
import { type PlaceIndex, readIndex } from "./files.js";
import { type PlaceKind, placeFolders } from "./folders.js";

export interface Place {
  readonly folder: string;
  readonly kind: PlaceKind;
  readonly uid: string;
  readonly index: PlaceIndex;
}

/** A workflow and the place that has it. */
export interface Found {
  readonly place: Place;
  readonly row: ListRow;
  /** Its place has a living owner. */
  readonly owned: boolean;
}

/** Newest first. A folder without an index (its owner died at once) is left out. */
export async function allPlaces(context: Context, inPlace?: string): Promise<readonly Place[]> {
  const folders = await placeFolders(context.home);
  const places = await Promise.all(
    folders.map(async ({ folder, kind }): Promise<Place | undefined> => {
      const index = await readIndex(folder);
      return index && { folder, kind, uid: kind === "up" ? "up" : basename(folder), index };
    }),
  );
  return places
    .filter((place): place is Place => place !== undefined && (inPlace === undefined || matches(place, inPlace)))
    .sort((a, b) => compareUtf8(b.index.createdAt, a.index.createdAt));
}

/** `--in up`, `--in UID` (its beginning is enough), `--in FOLDER`. */
function matches(place: Place, inPlace: string): boolean {
  return place.folder === inPlace || place.uid === inPlace || (inPlace.length >= 4 && place.uid.startsWith(inPlace));
}

/** The workflows of all places; of a place with a living owner as they are now, of the others from their index. */
export async function allWorkflows(context: Context, inPlace?: string): Promise<readonly Found[]> {
  const places = await allPlaces(context, inPlace);
  const found = await Promise.all(places.map((place) => workflowsOf(context, place)));
  const { namespace } = context.globals;
  const all = found.flat();
  return namespace === undefined ? all : all.filter(({ row }) => row.namespace === namespace);
}

async function workflowsOf(context: Context, place: Place): Promise<readonly Found[]> {
  const { workflows: rows } = place.index;
  const mayLive = place.kind === "up" || rows.length === 0 || rows.some((row) => row.finishedAt === "");
  if (!mayLive) return rows.map((row) => ({ place, row, owned: false }));
  const host = await context.ports.places();
  const ownership = await host.ownership(place.folder);
  if (ownership === "owned") {
    const living = await rowsThrough(await host.connect(place.folder));
    return living.map((row) => ({ place, row, owned: true }));
  }
  // An owner that was killed at once may have left a workflow that its index does not know yet.
  const left = rows.length === 0 && ownership === "free" ? await storedRows(host, place) : rows;
  return left.map((row) => ({ place, row: lost(row, place), owned: false }));
}

/** None where the store cannot be read: one bad place must not keep the others from being listed. */
async function storedRows(host: PlaceHost, place: Place): Promise<readonly ListRow[]> {
  const handle = await host.open(place.folder).catch(() => undefined);
  return handle === undefined ? [] : rowsThrough(handle);
}

async function rowsThrough(handle: PlaceHandle): Promise<readonly ListRow[]> {
  try {
    const list = await handle.client.list<Workflow>(workflows);
    return list.items.map(listRow);
  } finally {
    await handle.close("ended");
  }
}

/** Its phase stays what is written; its status says that nobody works on it, its message what to do. */
function lost(row: ListRow, place: Place): ListRow {
  if (row.finishedAt !== "") return row;
  return { ...row, status: lostStatus(row.status), message: `its process is gone: ${goOnCommand(place, row.name)}` };
}

/** What takes up again a workflow whose owner went away. */
export function goOnCommand({ kind }: Pick<Place, "kind">, name: string): string {
  return kind === "up" ? "tiphys up" : `tiphys run --resume ${name}`;
}

/** To the living owner, or reading the store that nobody owns. */
export async function openPlace(context: Context, place: Place): Promise<PlaceHandle> {
  const host = await context.ports.places();
  return (await host.ownership(place.folder)) === "owned" ? host.connect(place.folder) : host.open(place.folder);
}
