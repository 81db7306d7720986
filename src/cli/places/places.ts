/** All places of this user, newest first, and the workflows in them. */

import { basename } from "node:path";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { messageOf } from "../../core/std/message.js";
import { compareUtf8 } from "../../core/std/order.js";
import { sleep } from "../../kube/clock.js";
import { TransportError } from "../../kube/errors.js";
import { type Context, warn } from "../context.js";
import { PlaceError, type PlaceHandle, type PlaceHost } from "../ports.js";
import { type ListRow, listRow } from "../print/list.js";
import { lostStatus } from "../print/status-text.js";
import { type PlaceIndex, readIndex } from "./files.js";
import { type PlaceKind, placeFolders } from "./folders.js";

/** Of an owner that gave no answer: a second, in all. */
const ENDING_LOOKS = 11;
const ENDING_LOOK_MS = 100;

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
  /** That owner says nothing: what is known is what it last wrote. */
  readonly silent?: PlaceError;
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

/** Those of `knownWorkflows` of which something can be asked. */
export async function allWorkflows(context: Context, inPlace?: string): Promise<readonly Found[]> {
  return (await knownWorkflows(context, inPlace)).filter(({ silent }) => silent === undefined);
}

/**
 * The workflows of all places: as they are now where somebody works on them, else as they were left. A place that cannot
 * be read is told and left out, unless it is the only one that was asked.
 */
export async function knownWorkflows(context: Context, inPlace?: string): Promise<readonly Found[]> {
  const places = await allPlaces(context, inPlace);
  const none = (place: Place) => (error: unknown) => {
    if (places.length === 1) throw error;
    leftOut(context, place, error);
    return [];
  };
  const known = await Promise.all(places.map((place) => endedOrLiving(context, place).catch(none(place))));
  const found: Found[] = [];
  // One store after the other: there may be many that died, and each is read by a thread of its own.
  for (const [index, place] of places.entries()) {
    found.push(...(known[index] ?? (await leftBehind(context, place).catch(none(place)))));
  }
  const { namespace } = context.globals;
  return namespace === undefined ? found : found.filter(({ row }) => row.namespace === namespace);
}

/** As its owner last wrote them; rejects where it wrote nothing. */
function unanswered(context: Context, place: Place, silent: PlaceError): readonly Found[] {
  const { folder, index } = place;
  if (index.workflows.length === 0) throw silent;
  if (!context.leftOut.has(folder)) {
    context.leftOut.add(folder);
    warn(context, `${silent.message}: all that is known of it is what it last wrote`);
  }
  const message = "its process does not answer";
  return index.workflows.map((row) => ({
    place,
    row: row.finishedAt === "" ? { ...row, message } : row,
    owned: true,
    silent,
  }));
}

/** One place that fails must not keep the others from being shown. */
export function leftOut(context: Context, { folder }: Place, error: unknown): void {
  if (context.leftOut.has(folder)) return;
  context.leftOut.add(folder);
  warn(context, `what is in ${folder} is left out: ${messageOf(error)}`);
}

/** Undefined where an owner died. */
async function endedOrLiving(context: Context, place: Place): Promise<readonly Found[] | undefined> {
  const { workflows: rows } = place.index;
  const mayLive = place.kind === "up" || rows.length === 0 || rows.some((row) => row.finishedAt === "");
  const asLeft = rows.map((row) => ({ place, row, owned: false }));
  if (!mayLive) return asLeft;
  const host = await context.ports.places();
  const ownership = await host.ownership(place.folder);
  if (ownership === "owned") {
    return livingOrSilent(context, place);
  }
  const isWhole = rows.length > 0 && rows.every((row) => row.finishedAt !== "");
  return isWhole || ownership === "absent" ? asLeft : undefined;
}

async function livingOrSilent(context: Context, place: Place): Promise<readonly Found[]> {
  try {
    const { handle, value: living } = await openAndRead(context, place, rowsThrough);
    await handle.close("ended");
    const owned = handle.role === "peer";
    return living.map((row) => ({ place, row: owned ? row : lost(row, place), owned }));
  } catch (error) {
    if (isSilent(error)) return unanswered(context, place, error);
    throw error;
  }
}

export function isSilent(error: unknown): error is PlaceError {
  return error instanceof PlaceError && error.code === "silent";
}

/** To the living owner. Rejects with PlaceError at once for one that gave no answer before. */
export async function connectOwner({ ports, silent }: Context, folder: string): Promise<PlaceHandle> {
  const known = silent.get(folder);
  if (known !== undefined) throw known;
  const host = await ports.places();
  return host.connect(folder).catch((error: unknown) => {
    if (isSilent(error)) silent.set(folder, error);
    throw error;
  });
}

/** An owner that was killed, or whose disk was full, may have left what its index does not know. */
async function leftBehind(context: Context, place: Place): Promise<readonly Found[]> {
  const host = await context.ports.places();
  const rows = await storedRows(host, place);
  return rows.map((row) => ({ place, row: lost(row, place), owned: false }));
}

/** What the index says where the store cannot be read: one bad place must not keep the others from being listed. */
async function storedRows(host: PlaceHost, { folder, index }: Place): Promise<readonly ListRow[]> {
  const handle = await host.open(folder).catch(() => undefined);
  if (handle === undefined) return index.workflows;
  try {
    return await rowsThrough(handle);
  } finally {
    await handle.close("ended");
  }
}

async function rowsThrough(handle: PlaceHandle): Promise<readonly ListRow[]> {
  const list = await handle.client.list<Workflow>(workflows);
  return list.items.map(listRow);
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

export interface PlaceReading<T> {
  /** To be closed by who asked. */
  readonly handle: PlaceHandle;
  readonly value: T;
}

/** Through the living owner, or from the store that nobody owns; of an owner that ends meanwhile the store is read. */
export async function openAndRead<T>(
  context: Context,
  { folder }: Pick<Place, "folder">,
  read: (handle: PlaceHandle) => Promise<T>,
): Promise<PlaceReading<T>> {
  const host = await context.ports.places();
  for (;;) {
    const owned = (await host.ownership(folder)) === "owned";
    try {
      const handle = await (owned ? connectOwner(context, folder) : host.open(folder));
      return { handle, value: await readOrClose(handle, read) };
    } catch (error) {
      const looks = error instanceof TransportError ? ENDING_LOOKS : 1;
      if (!owned || !(await endsWithin(looks, () => host.ownership(folder), context))) throw error;
    }
  }
}

/** A process that is killed loses its socket a moment before its lock. */
async function endsWithin(looks: number, ownership: () => Promise<string>, { ports }: Context): Promise<boolean> {
  for (let look = 1; (await ownership()) === "owned"; look++) {
    if (look === looks) return false;
    await sleep(ports.clock, ENDING_LOOK_MS);
  }
  return true;
}

async function readOrClose<T>(handle: PlaceHandle, read: (handle: PlaceHandle) => Promise<T>): Promise<T> {
  try {
    return await read(handle);
  } catch (error) {
    await handle.close("ended");
    throw error;
  }
}
