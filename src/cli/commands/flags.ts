/** Flags that several commands share: what is run, and the place that runs it. */

import { type Command, Option } from "commander";
import { badInput } from "../errors.js";
import { namedData } from "../load/key-values.js";
import { type ParameterValue, parseParameter, readParameterFile } from "../load/parameters.js";
import { parseStubs } from "../load/place-flags.js";
import { type PrepareFlags, parseLabels } from "../load/prepare.js";
import type { Ports } from "../ports.js";
import { allOrErrors, readEach } from "../tell-together.js";
import { collect } from "./module.js";

/** `-p`, `-f`. */
export interface ParameterFlags {
  readonly parameter?: readonly string[];
  readonly parameterFile?: string;
}

export function defineParameterFlags(command: Command): void {
  command
    .option("-p, --parameter <NAME=VALUE>", "give a parameter its value (repeatable)", collect)
    .option("-f, --parameter-file <FILE>", "file or address with NAME: VALUE lines");
}

/** Those of the file first: the ones typed win. */
export async function parametersOf(ports: Ports, flags: ParameterFlags): Promise<readonly ParameterValue[]> {
  const { parameterFile } = flags;
  const [typed, filed] = await allOrErrors([
    readEach(flags.parameter ?? [], parseParameter),
    parameterFile === undefined ? [] : readParameterFile(ports, parameterFile),
  ]);
  const names = new Set(typed.map(({ name }) => name));
  return [...filed.filter(({ name }) => !names.has(name)), ...typed];
}

export interface SubmitFlags extends ParameterFlags {
  readonly entrypoint?: string;
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: string;
  readonly serviceaccount?: string;
  readonly priority?: number;
  readonly from?: string;
  readonly strict: boolean;
  readonly with?: readonly string[];
  readonly secret?: readonly string[];
  readonly configmap?: readonly string[];
  readonly stub?: readonly string[];
}

export function defineSubmitFlags(command: Command): void {
  defineParameterFlags(command);
  command
    .option("--entrypoint <TEMPLATE>", "begin with this template")
    .option("--name <NAME>", "name the workflow")
    .option("--generate-name <PREFIX>", "name it PREFIX and five characters")
    .option("-l, --labels <LABELS>", "labels to set: a=b,c=d")
    .option("--serviceaccount <NAME>", "service account of the steps")
    .option("--priority <NUMBER>", "priority of the workflow", integer)
    .option("--from <KIND/NAME>", "run this template or cron workflow")
    .option("--no-strict", "leave out fields that do not exist instead of refusing them")
    .addOption(new Option("--strict").hideHelp());
}

export function defineGivenFlags(command: Command): void {
  command
    .option("--with <FILE|DIR>", "templates, secrets, config maps, claims to have at hand (repeatable)", collect)
    .option("--secret <NAME=.env|DIR>", "make a Secret; NAME/KEY takes KEY from the environment (repeatable)", collect)
    .option("--configmap <NAME=.env|DIR>", "make a ConfigMap, likewise (repeatable)", collect);
}

/** `defaults` are those of tiphys.yaml; what was typed wins. */
export async function prepareFlags(
  ports: Ports,
  flags: SubmitFlags,
  defaults: { readonly with: readonly string[]; readonly parameters: readonly ParameterValue[] },
): Promise<PrepareFlags> {
  const [typed, labels, stubs, secrets, configMaps] = await allOrErrors([
    parametersOf(ports, flags),
    (async () => parseLabels(flags.labels))(),
    parseStubs(ports, flags.stub ?? []),
    namedData(ports, "--secret", flags.secret ?? []),
    namedData(ports, "--configmap", flags.configmap ?? []),
  ]);
  const names = new Set(typed.map(({ name }) => name));
  return {
    with: [...defaults.with, ...(flags.with ?? [])],
    secrets,
    configMaps,
    parameters: [...defaults.parameters.filter(({ name }) => !names.has(name)), ...typed],
    entrypoint: flags.entrypoint,
    name: flags.name,
    generateName: flags.generateName,
    serviceAccount: flags.serviceaccount,
    labels,
    priority: flags.priority,
    from: flags.from,
    strict: flags.strict,
    stubs,
  };
}

/** What the place of a `run` or an `up` is made of. */
export interface PlaceFlags {
  readonly env?: readonly string[];
  readonly envFile?: readonly string[];
  readonly mount?: readonly string[];
  readonly artifact?: readonly string[];
  readonly remoteArtifacts?: boolean;
  readonly stub?: readonly string[];
  readonly script?: string;
  readonly runtime?: string;
  readonly isolation?: string;
  readonly images?: readonly string[];
  readonly maxPods?: number;
  readonly pull: string;
  readonly platform?: string;
  readonly keep: string;
}

export const runtimeNames = ["auto", "host", "docker", "podman", "scripted"] as const;

export function definePlaceFlags(command: Command): void {
  command
    .addOption(new Option("--runtime <NAME>", "what runs the steps (default: auto)").choices(runtimeNames))
    .addOption(
      new Option("--isolation <LEVEL>", "of host steps (default: the best there is)").choices([
        "full",
        "no-proc",
        "plain",
      ]),
    )
    .option("--env <NAME=VALUE>", "environment of the main containers; NAME takes yours (repeatable)", collect)
    .option("--env-file <FILE>", "the same from a .env file (repeatable)", collect)
    .option("--mount <SRC:DST>", "your files inside the main containers; SRC:DST:ro to read only (repeatable)", collect)
    .option(
      "--artifact <NAME=PATH>",
      "a file or folder in an input artifact's place, or TEMPLATE.NAME=PATH (repeatable)",
      collect,
    )
    .option("--remote-artifacts", "read and write s3, gcs, … themselves (not in this version)")
    .option("--images <FILE|IMAGE=PROGRAM>", "what images run that name no command (repeatable)", collect)
    .option(
      "--stub <TEMPLATE>",
      "let a template succeed without running it; TEMPLATE=FILE gives its outputs (repeatable)",
      collect,
    )
    .option("--script <FILE>", "play the steps' outcomes from a file; runs nothing")
    .option("--max-pods <NUMBER>", "steps at once (default: 8, or twice the processors)", positive)
    .addOption(new Option("--pull <WHEN>", "pull images").choices(["missing", "always", "never"]).default("missing"))
    .option("--platform <OS/ARCH>", "of the images, such as linux/arm64")
    .addOption(
      new Option("--keep <WHICH>", "keep the files of steps for tiphys shell")
        .choices(["failed", "always", "never"])
        .default("failed"),
    );
}

export function integer(text: string): number {
  if (!/^-?\d+$/.test(text)) throw badInput(`expected a whole number, got "${text}"`);
  return Number(text);
}

export function positive(text: string): number {
  const number = integer(text);
  if (number < 1) throw badInput(`expected a number of at least 1, got "${text}"`);
  return number;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, "": 1000 };

/** `30s`, `2m`, `500ms`, `30`: milliseconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  if (match === null) throw badInput(`expected a duration such as 30s or 2m, got "${text}"`);
  return Number(match[1]) * (UNITS[match[2] ?? ""] ?? 0);
}

export const outputForms = ["name", "json", "yaml", "wide"] as const;

/** `-o`; Argo's text for what is none of them. */
export function outputOption(forms: readonly string[], about = "print as"): Option {
  return new Option(`-o, --output <FORM>`, about).argParser((value: string) => {
    if (!forms.includes(value)) throw badInput(`One of: ${forms.join("|")}`);
    return value;
  });
}
