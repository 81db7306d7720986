/** `--mount`, `--artifact`, `--stub`, `--script`, `--images`: flags that shape the place, parsed. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readDocuments } from "../../core/model/index.js";
import { isJsonObject, type Json } from "../../core/std/json.js";
import type { PlaceFlags } from "../commands/flags.js";
import { badInput, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { ArtifactOverride, ImageEntry, Mount, Ports, ScriptFile, Stub } from "../ports.js";
import { allOrErrors, readEach } from "../tell-together.js";
import type { Defaults } from "./defaults.js";
import { imageEntries } from "./images.js";
import { environmentOf } from "./key-values.js";
import { hasErrors } from "./resources.js";
import { readSingle, reasonOf } from "./sources.js";

/** `SRC:DST[:ro]`; SRC must be there. */
export async function parseMounts(ports: Ports, given: readonly string[]): Promise<readonly Mount[]> {
  return readEach(given, async (word): Promise<Mount> => {
    const [source = "", target = "", mode = "rw", ...rest] = word.split(":");
    if (source === "" || !target.startsWith("/") || rest.length > 0 || (mode !== "ro" && mode !== "rw")) {
      throw badInput(`--mount ${word}: expected SOURCE:/TARGET or SOURCE:/TARGET:ro`, "for example --mount .:/src");
    }
    const path = resolve(ports.cwd, source);
    await mustExist(path, `--mount ${word}`);
    return { source: path, target, access: mode };
  });
}

/** `[TEMPLATE.]NAME=PATH` */
export async function parseArtifacts(ports: Ports, given: readonly string[]): Promise<readonly ArtifactOverride[]> {
  return readEach(given, async (word): Promise<ArtifactOverride> => {
    const match = /^(?:([\w-]+)\.)?([\w-]+)=(.+)$/s.exec(word);
    const [, template, name = "", source = ""] = match ?? [];
    if (match === null) throw badInput(`--artifact ${word}: expected NAME=PATH or TEMPLATE.NAME=PATH`);
    const path = resolve(ports.cwd, source);
    await mustExist(path, `--artifact ${word}`);
    return { template: template ?? null, name, path };
  });
}

async function mustExist(path: string, flag: string): Promise<void> {
  await stat(path).catch((error: unknown) => {
    throw badInput(`${flag}: ${path}: ${reasonOf(error)}`);
  });
}

/** `TEMPLATE` or `TEMPLATE=FILE` */
export async function parseStubs(ports: Ports, given: readonly string[]): Promise<readonly Stub[]> {
  return readEach(given, async (word): Promise<Stub> => {
    const equals = word.indexOf("=");
    if (equals === -1) return { template: word, outcome: null, file: null };
    const file = word.slice(equals + 1);
    const { value } = await readValue(ports, file, "--stub");
    return { template: word.slice(0, equals), outcome: value, file: resolve(ports.cwd, file) };
  });
}

export async function parseScript(ports: Ports, file: string): Promise<ScriptFile> {
  const { value } = await readValue(ports, file, "--script");
  return { file: resolve(ports.cwd, file), content: value };
}

/** `--images FILE` (as Argo's controller configuration has it), or `--images IMAGE=PROGRAM`. */
export async function parseImages(
  ports: Ports,
  given: readonly string[],
): Promise<Readonly<Record<string, ImageEntry>>> {
  const tables = await readEach(given, async (word) => {
    const equals = word.lastIndexOf("=");
    if (equals > 0) return imageEntries({ [word.slice(0, equals)]: word.slice(equals + 1) }, "--images");
    const { value } = await readValue(ports, word, "--images");
    return imageEntries(isJsonObject(value) && "images" in value ? (value["images"] ?? {}) : value, word);
  });
  return Object.assign({}, ...tables);
}

/** The one document of a YAML or JSON file. */
async function readValue(ports: Ports, file: string, flag: string): Promise<{ readonly value: Json }> {
  const { source, problem } = await readSingle(ports, file);
  if (source === undefined) throw badInput(`${flag} ${problem?.message ?? file}`, problem?.hint);
  const read = readDocuments(source.text, source.file);
  if (hasErrors(read.problems)) {
    throw new ProblemsError(exitCodes.badInput, read.problems, new Map([[source.file, source.text]]));
  }
  return { value: read.documents[0]?.value ?? null };
}

/** What the flags of a place say, read before anything else is looked at. */
export interface PlaceValues {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, ImageEntry>>;
  readonly stubs: readonly Stub[];
  readonly script: ScriptFile | null;
  readonly artifacts: readonly ArtifactOverride[];
}

/** Rejects with all that is wrong with them. `defaults` are those of tiphys.yaml. */
export async function placeValues(
  ports: Ports,
  flags: PlaceFlags,
  defaults: Pick<Defaults, "mount" | "env">,
): Promise<PlaceValues> {
  const [mounts, env, images, stubs, script, artifacts] = await allOrErrors([
    parseMounts(ports, [...defaults.mount, ...(flags.mount ?? [])]),
    environmentOf(ports, [...defaults.env, ...(flags.env ?? [])], flags.envFile ?? []),
    parseImages(ports, flags.images ?? []),
    parseStubs(ports, flags.stub ?? []),
    flags.script === undefined ? null : parseScript(ports, flags.script),
    parseArtifacts(ports, flags.artifact ?? []),
  ]);
  return { mounts, env, images, stubs, script, artifacts };
}
