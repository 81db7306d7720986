/** `tiphys up`: owns the long-lived place until Ctrl-C. */

import { type Context, notice } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { controllerConfig } from "../load/controller-config.js";
import { type ObjectsGiven, objectsGiven } from "../load/given.js";
import { givenName } from "../load/given-artifacts.js";
import { namedData } from "../load/key-values.js";
import { placeValues } from "../load/place-flags.js";
import { isAddress } from "../load/sources.js";
import { upFolder } from "../places/folders.js";
import { createPlace, decidePlace, type OwnedPlace, releasePlace } from "../places/own.js";
import { PlaceError, type SignalName } from "../ports.js";
import { ignoredNotice } from "../print/ignored.js";
import { printProblems } from "../report-error.js";
import { keepIndex } from "../session/keep-index.js";
import { createOthers, createSurroundings } from "../session/objects.js";
import { allOrErrors } from "../tell-together.js";
import { defineGivenFlags, definePlaceFlags, type PlaceFlags, type SubmitFlags } from "./flags.js";
import { type CommandDefinition, examples } from "./module.js";
import { defaultsFor } from "./run-flags.js";

type UpFlags = PlaceFlags & Pick<SubmitFlags, "with" | "secret" | "configmap">;

export const command: CommandDefinition = {
  define(spec) {
    // A file is answered in words of its own.
    spec.allowExcessArguments();
    defineGivenFlags(spec);
    definePlaceFlags(spec);
    examples(spec, ["tiphys up --with templates/", "tiphys submit hello.yaml    (in another terminal)"]);
  },
  async run(context, call) {
    if (call.args.length > 0) throw badInput("up takes no file", "tiphys up --with FILE, or tiphys run FILE");
    const flags = call.options<UpFlags>();
    await refuseSecond(context);
    const defaults = await defaultsFor(context, []);
    const [values, secrets, configMaps] = await allOrErrors([
      placeValues(context.ports, flags, defaults),
      namedData(context.ports, "--secret", flags.secret ?? []),
      namedData(context.ports, "--configmap", flags.configmap ?? []),
    ]);
    const given = await objectsGiven(context, {
      with: [...defaults.with, ...(flags.with ?? [])],
      secrets,
      configMaps,
      strict: true,
      artifacts: (flags.artifact ?? []).map(givenName),
    });
    tellProblems(context, given);
    const config = controllerConfig(given.objects);
    const settings = await decidePlace(context, flags, defaults, {
      images: [],
      fromUrl: [...given.texts.keys()].some(isAddress),
      controllerConfig: config.data,
      configImages: config.images,
      texts: given.texts,
      specFile: "",
      specGiven: undefined,
      values,
    });
    const place = await createPlace(context, "up", settings);
    return serve(context, place, async () => {
      await createSurroundings(place.handle.client, given.objects);
      await createOthers(place.handle.client, given.objects, { place: "up" });
    });
  },
};

function tellProblems(context: Context, { problems, texts }: ObjectsGiven): void {
  const warnings = problems.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) printProblems(context, warnings, texts);
  const ignored = ignoredNotice(problems);
  if (ignored !== undefined) notice(context, ignored);
}

async function refuseSecond(context: Context): Promise<void> {
  const folder = upFolder(context.home);
  const host = await context.ports.places();
  if ((await host.ownership(folder)) !== "owned") return;
  const handle = await host.connect(folder);
  const { address } = handle;
  await handle.close("ended");
  throw new PlaceError("owned", `a place is up already: ${address}`, "tiphys submit FILE hands it a workflow");
}

/** First signal: give the place back in order. Second: at once. */
async function serve(context: Context, place: OwnedPlace, prepare: () => Promise<void>): Promise<number> {
  let stopListening: () => void = () => undefined;
  const stopped = new Promise<SignalName>((resolve) => {
    stopListening = context.signals.listen((signal) => {
      stopListening();
      resolve(signal);
    });
  });
  const abort = new AbortController();
  try {
    await prepare();
    await keepIndex(context, place, abort.signal);
    notice(context, `up: ${place.handle.address}`);
    notice(
      context,
      "tiphys submit FILE, in another terminal; Ctrl-C ends it, what runs is taken up again by the next up",
    );
    return (await stopped) === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
  } finally {
    abort.abort();
    stopListening();
    await releasePlace(context, place, "ended");
  }
}
