/** `tiphys controller`: today only `--release`, which frees all pods of our finalizer before an uninstall. */

import { type Released, releasePods } from "../../controller/release.js";
import { messageOf } from "../../core/std/message.js";
import type { Client } from "../../kube/client.js";
import { ApiError, TransportError } from "../../kube/errors.js";
import { type Context, notice, writeLines } from "../context.js";
import { badInput, type CliError, cannotRun, notFound } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { allPlaces, type Place } from "../places/places.js";
import { PlaceError, type PlaceHandle } from "../ports.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly release?: boolean;
  readonly apiServer?: string;
  readonly in?: string;
}

/** How many pods of a command's targets were freed, and how many were not. */
interface Count {
  freed: number;
  refused: number;
}

export const command: CommandDefinition = {
  define(spec) {
    spec
      .option("--release", "take our finalizer off every pod, so that none waits for a controller that is gone")
      .option("--api-server <URL>", "the pods of this API server, not of your places; it must ask for no login");
    defineIn(spec);
    spec.addHelpText("after", `\n${ABOUT}`);
    examples(spec, [
      "tiphys controller --release",
      "tiphys controller --release --in up",
      "tiphys controller --release --api-server http://127.0.0.1:8001    (kubectl proxy)",
    ]);
  },
  async run(context, call) {
    const flags = call.options<Flags>();
    if (flags.release !== true) throw notYet();
    if (flags.apiServer !== undefined && flags.in !== undefined)
      throw badInput("--api-server and --in name different things: leave one out");
    const count: Count = { freed: 0, refused: 0 };
    const code =
      flags.apiServer === undefined
        ? await releasePlaces(context, flags.in, count)
        : await releaseServer(context, flags.apiServer, count);
    writeLines(context, [summary(count)]);
    return count.refused > 0 ? Math.max(code, exitCodes.failed) : code;
  },
};

const ABOUT = `A controller of its own, for other API servers, is not there yet: it runs inside tiphys run and tiphys up.
--release reaches all of your places (those that nobody owns too; --in names one), or with --api-server
an API server that asks for no login. It takes off the finalizer workflows.argoproj.io/status, which is
Argo's as well, and nothing else. End what runs first: pods made later carry it again.`;

function notYet(): CliError {
  return cannotRun(
    "a controller of its own is not there yet: this version runs it inside tiphys run and tiphys up",
    "tiphys up keeps one running here; tiphys controller --release frees pods before an uninstall",
  );
}

/** A place that cannot be had is told, and the others go on. */
async function releasePlaces(context: Context, inPlace: string | undefined, count: Count): Promise<number> {
  const places = await allPlaces(context, inPlace);
  if (places.length === 0 && inPlace !== undefined) throw notFound(`no place "${inPlace}"`, "tiphys list shows yours");
  let code: number = exitCodes.succeeded;
  for (const place of places) {
    try {
      await releasePlace(context, place, count);
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      context.ports.stderr.write(`${context.err.paint.red("error:")} ${error.message}\n`);
      code = exitCodes.internal;
    }
  }
  return code;
}

async function releasePlace(context: Context, place: Place, count: Count): Promise<void> {
  const handle = await handleOf(context, place);
  if (handle === undefined) return;
  try {
    if (handle.role === "peer")
      notice(context, `place ${place.uid} is at work: pods that it makes from now on carry the finalizer again`);
    await release(context, handle.client, count);
  } finally {
    await handle.close("ended");
  }
}

/** To its owner; where nobody owns it, as one in which nothing is at work. */
async function handleOf(context: Context, { folder }: Place): Promise<PlaceHandle | undefined> {
  const host = await context.ports.places();
  switch (await host.ownership(folder)) {
    case "owned":
      return host.connect(folder);
    case "free":
      return host.hold(folder);
    case "absent":
      return undefined;
  }
}

async function releaseServer(context: Context, url: string, count: Count): Promise<number> {
  const origin = originOf(url);
  const host = await context.ports.places();
  const server = await host.server(origin);
  try {
    await release(context, server.client, count);
    return exitCodes.succeeded;
  } catch (error) {
    throw unreachable(error, origin);
  } finally {
    await server.close();
  }
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.protocol !== "http:" || url.username !== "" || !["", "/"].includes(url.pathname))
    throw badInput(
      `--api-server: "${text}" is no URL of an API server without a login`,
      "kubectl proxy serves a cluster's API at http://127.0.0.1:8001",
    );
  return url.origin;
}

function unreachable(error: unknown, origin: string): unknown {
  const hint = "kubectl proxy serves a cluster's API without a login; is it running?";
  if (error instanceof TransportError) return cannotRun(`no answer from ${origin}: ${error.message}`, hint);
  if (error instanceof ApiError && error.code === 401) return cannotRun(`${origin} asks for a login`, hint);
  return error;
}

async function release(context: Context, client: Client, count: Count): Promise<void> {
  const { namespace } = context.globals;
  for await (const released of releasePods(client, namespace === undefined ? {} : { namespace })) {
    if (released.outcome === "freed") count.freed++;
    if (released.outcome === "refused") count.refused++;
    writeLines(context, [line(released)]);
  }
}

function line({ pod, outcome, error }: Released): string {
  const { namespace = "", name = "" } = pod.metadata;
  const phase = pod.status?.phase ?? "Pending";
  const isAtWork = phase !== "Succeeded" && phase !== "Failed";
  switch (outcome) {
    case "freed":
      return `pod ${namespace}/${name} freed${isAtWork ? ` (${phase}: it can go before its outcome is saved)` : ""}`;
    case "gone":
      return `pod ${namespace}/${name} is free already`;
    case "refused":
      return `pod ${namespace}/${name} not freed: ${messageOf(error)}`;
  }
}

function summary({ freed, refused }: Count): string {
  if (freed === 0 && refused === 0) return "no pod waits for us";
  const failed = refused === 0 ? "" : `, ${refused} not: call it again`;
  return `${freed} ${freed === 1 ? "pod" : "pods"} freed${failed}`;
}
