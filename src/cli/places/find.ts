/** Names given on the command line -> workflows in places: newest first, `@latest`, did you mean. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { nearestName } from "../../core/model/codec/suggest.js";
import { workflows } from "../../core/model/resources.js";
import { compareUtf8 } from "../../core/std/order.js";
import type { Context } from "../context.js";
import { notFound } from "../errors.js";
import { PlaceError, type PlaceHandle } from "../ports.js";
import { type Found, knownWorkflows, openAndRead } from "./places.js";

export const LATEST = "@latest";

/** The newest workflow of that name (or of all, for `@latest`). Rejects with CliError when there is none, with PlaceError when its owner does not answer. */
export async function findWorkflow(context: Context, name: string, inPlace?: string): Promise<Found> {
  const all = await knownWorkflows(context, inPlace);
  const matching = name === LATEST ? all : all.filter(({ row }) => row.name === name || row.uid === name);
  const newest = newestFirst(matching)[0];
  if (newest === undefined) throw missing(name, all);
  const { silent, row } = newest;
  if (silent !== undefined) throw new PlaceError("silent", `${row.name}: ${silent.message}`, silent.hint);
  return newest;
}

export function newestFirst(found: readonly Found[]): readonly Found[] {
  return [...found].sort((a, b) => compareUtf8(b.row.createdAt, a.row.createdAt));
}

function missing(name: string, all: readonly Found[]): Error {
  if (all.length === 0) return notFound("no workflows here yet", "tiphys run FILE");
  const near = nearestName(
    name,
    all.map(({ row }) => row.name),
  );
  const hint = near === undefined ? "tiphys list" : `did you mean "${near}"?`;
  return notFound(`workflow "${name}" not found`, hint);
}

export interface OpenWorkflow {
  readonly found: Found;
  readonly handle: PlaceHandle;
  readonly workflow: Workflow;
}

/** Looks a workflow up, opens its place for reading (or over its socket), and lets go of it afterwards. */
export async function withWorkflow<T>(
  context: Context,
  target: { readonly name: string; readonly inPlace: string | undefined },
  use: (open: OpenWorkflow) => Promise<T>,
): Promise<T> {
  const found = await findWorkflow(context, target.name, target.inPlace);
  const { handle, value: workflow } = await openAndRead(context, found.place, (open) => readWorkflow(open, found));
  try {
    return await use({ found, handle, workflow });
  } finally {
    await handle.close("ended");
  }
}

export function readWorkflow(handle: PlaceHandle, { row }: Found): Promise<Workflow> {
  return handle.client.get<Workflow>(workflows, { namespace: row.namespace, name: row.name });
}
