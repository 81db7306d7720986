/** Deciding what a place is made of, making it, taking it over, and giving it back. */

import type { PlaceFlags } from "../commands/flags.js";
import { runtimeNames } from "../commands/flags.js";
import { type Context, notice } from "../context.js";
import { badInput, CliError, cannotRun, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { Defaults } from "../load/defaults.js";
import { fileHash } from "../load/file-hash.js";
import type { PlaceValues } from "../load/place-flags.js";
import type { ImageUse } from "../load/references.js";
import { isAddress } from "../load/sources.js";
import type { ImageEntry, Isolation, PlaceHandle, PlaceOptions, RuntimeName } from "../ports.js";
import { chooseRuntime, type RuntimeDecision } from "../runtime/choose.js";
import { probeMachine } from "../runtime/probe.js";
import {
  type PlaceIndex,
  type PlaceSettings,
  readIndex,
  readSettings,
  type SpecGiven,
  writeIndex,
  writeSettings,
} from "./files.js";
import { artifactsFolder, makePlaceFolder, type PlaceKind } from "./folders.js";
import { IndexWriter } from "./index-writer.js";
import { folderBytes } from "./retention.js";

export interface PlaceNeeds {
  readonly images: readonly ImageUse[];
  readonly fromUrl: boolean;
  readonly controllerConfig: Readonly<Record<string, string>>;
  /** Images of that configuration. */
  readonly configImages: Readonly<Record<string, ImageEntry>>;
  readonly texts: ReadonlyMap<string, string>;
  readonly specFile: string;
  readonly specGiven: SpecGiven | undefined;
  /** What the flags say. */
  readonly values: PlaceValues;
}

/** What runs the steps, or why nothing here can; and the images that are known by name. */
export async function decideRuntime(
  context: Context,
  flags: PlaceFlags,
  defaults: Defaults,
  needs: PlaceNeeds,
): Promise<{ readonly decision: RuntimeDecision; readonly images: Readonly<Record<string, ImageEntry>> }> {
  const { ports } = context;
  const images = { ...defaults.images, ...needs.configImages, ...needs.values.images };
  const host = await ports.places();
  const facts = await probeMachine(host.probe, {
    requested: requestedRuntime(flags, defaults),
    isolation: isolationOf(flags.isolation),
    platform: ports.machine.platform,
    images: needs.images,
    table: images,
    // What an image runs is for its table to say.
    fromUrl: needs.fromUrl || (flags.images ?? []).some(isAddress),
    waiting: (text) => notice(context, text),
  });
  return { decision: chooseRuntime(facts), images };
}

/** Chooses the runtime and says so. Rejects with ProblemsError (exit 3) when nothing here can run it. */
export async function decidePlace(
  context: Context,
  flags: PlaceFlags,
  defaults: Defaults,
  needs: PlaceNeeds,
): Promise<PlaceSettings> {
  const { ports } = context;
  if (flags.remoteArtifacts === true) throw remoteRefusal(context);
  const { decision, images } = await decideRuntime(context, flags, defaults, needs);
  if (decision.kind === "none") throw new ProblemsError(exitCodes.cannotRun, decision.problems, needs.texts);
  // The tree's header is short of room and says only what falls short.
  const isFull = decision.runtime === "host" && decision.isolation === "full";
  notice(context, `runtime: ${isFull ? "host, full isolation" : decision.label} (${decision.reason})`);
  for (const text of [...decision.notices, ...foreignPlatform(context, flags.platform)]) notice(context, text);
  const options: PlaceOptions = {
    runtime: decision.runtime,
    isolation: decision.isolation,
    maxPods: flags.maxPods ?? (decision.runtime === "scripted" ? null : Math.max(8, 2 * ports.machine.cpus)),
    ...needs.values,
    images,
    artifactsFolder: artifactsFolder(context.home),
    keep: choice(flags.keep, ["failed", "always", "never"] as const),
    pull: choice(flags.pull, ["missing", "always", "never"] as const),
    platform: flags.platform ?? null,
    prefetch: prefetchable(decision.runtime, needs.images),
    controllerConfig: needs.controllerConfig,
  };
  const specHash = needs.specFile === "" ? "" : ((await fileHash(needs.specFile)) ?? "");
  const requested = requestedRuntime(flags, defaults);
  const { specFile, specGiven } = needs;
  return { v: 1, options, requested, runtimeText: decision.label, specFile, specGiven, specHash };
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Images for another processor run by emulation, if at all: worth a word. */
function foreignPlatform({ ports }: Context, platform: string | undefined): readonly string[] {
  const own = ARCHITECTURES[ports.machine.arch] ?? ports.machine.arch;
  const wanted = platform?.split("/")[1] ?? own;
  return wanted === own ? [] : [`images are for ${wanted}, this machine is ${own}: steps run emulated, and slower`];
}

function remoteRefusal(context: Context): CliError {
  return cannotRun(
    "--remote-artifacts: this version reads and writes no remote store yet",
    `without it, s3, gcs and the like are the folder ${artifactsFolder(context.home)}; --artifact NAME=PATH gives an input`,
  );
}

function requestedRuntime(flags: PlaceFlags, defaults: Defaults): "auto" | RuntimeName {
  const asked = flags.runtime ?? defaults.runtime;
  if (flags.script !== undefined && asked !== undefined && asked !== "scripted" && asked !== "auto") {
    throw badInput(`--script plays outcomes, --runtime ${asked} runs steps: leave one out`);
  }
  if (flags.script !== undefined) return "scripted";
  if (asked === "scripted") throw badInput("--runtime scripted needs the outcomes to play: --script FILE");
  return choice(asked ?? "auto", runtimeNames);
}

function isolationOf(text: string | undefined): Isolation | undefined {
  return text === undefined ? undefined : choice(text, ["full", "no-proc", "plain"] as const);
}

function choice<T extends string>(text: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === text);
  if (found === undefined) throw badInput(`"${text}" is none of ${choices.join(", ")}`);
  return found;
}

function prefetchable(runtime: RuntimeName, images: readonly ImageUse[]): readonly string[] {
  if (runtime !== "docker" && runtime !== "podman") return [];
  return [...new Set(images.map(({ image }) => image))].filter((image) => !image.includes("{{"));
}

/** A place that this process owns. */
export interface OwnedPlace {
  readonly handle: PlaceHandle;
  readonly index: IndexWriter;
  readonly folder: string;
  /** From its making to its giving back no signal ends this process halfway. */
  readonly letSignalsGo: () => void;
}

export function createPlace(context: Context, kind: PlaceKind, settings: PlaceSettings): Promise<OwnedPlace> {
  return holdingSignals(context, (letSignalsGo) => makePlace(context, kind, { settings, letSignalsGo }));
}

async function holdingSignals<T>(context: Context, make: (letGo: () => void) => Promise<T>): Promise<T> {
  const letGo = context.signals.hold();
  try {
    return await make(letGo);
  } catch (error) {
    letGo();
    throw error;
  }
}

async function makePlace(
  context: Context,
  kind: PlaceKind,
  { settings, letSignalsGo }: { readonly settings: PlaceSettings; readonly letSignalsGo: () => void },
): Promise<OwnedPlace> {
  const { ports } = context;
  const uid = ports.chance.uuid();
  const folder = await makePlaceFolder(context.home, kind, uid);
  const host = await ports.places();
  const existed = kind === "up" && (await readIndex(folder)) !== undefined;
  const handle = existed ? await host.takeOver(folder, settings.options) : await host.create(folder, settings.options);
  try {
    await writeSettings(folder, settings);
    const createdAt = new Date(ports.clock.now()).toISOString();
    const index: PlaceIndex = { v: 1, kind, uid: kind === "up" ? "up" : uid, createdAt, workflows: [], bytes: 0 };
    const known = existed ? ((await readIndex(folder)) ?? index) : index;
    await writeIndex(folder, known);
    return { handle, folder, letSignalsGo, index: new IndexWriter(folder, ports.clock, known) };
  } catch (error) {
    await handle.close("abandon").catch(() => undefined);
    throw error;
  }
}

/** Becomes the owner of a place that nobody owns, with the settings it was made with. */
export async function takeOverPlace(
  context: Context,
  folder: string,
): Promise<OwnedPlace & { readonly settings: PlaceSettings }> {
  const [settings, index] = await Promise.all([readSettings(folder), readIndex(folder)]);
  if (settings === undefined || index === undefined) {
    throw new CliError(
      exitCodes.internal,
      `the place ${folder} has lost its settings`,
      "run the file anew: tiphys run FILE",
    );
  }
  const host = await context.ports.places();
  return holdingSignals(context, async (letSignalsGo) => {
    const handle = await host.takeOver(folder, settings.options);
    return { handle, folder, settings, letSignalsGo, index: new IndexWriter(folder, context.ports.clock, index) };
  });
}

/** Gives the place back; who cannot wait for its tidying up and sends a signal has what is left ended by force. */
export async function releasePlace(context: Context, owned: OwnedPlace, reason: "ended" | "abandon"): Promise<void> {
  const { handle, index, folder, letSignalsGo } = owned;
  const stopListening = context.signals.listen(() => {
    // Its failure is that of the closing under way, which is told.
    handle.close("abandon").catch(() => undefined);
  });
  try {
    await handle.close(reason);
    await index.close(await folderBytes(folder));
  } finally {
    stopListening();
    letSignalsGo();
  }
}
