/** `tiphys.yaml`, the nearest one upwards: defaults for flags, so that a team types less. */

import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { nearestName, readDocuments, type SourceDocument } from "../../core/model/index.js";
import { isJsonObject, type Json } from "../../core/std/json.js";
import type { Problem } from "../../core/std/problem.js";
import { ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { ImageEntry } from "../ports.js";
import { imageEntries } from "./images.js";
import { type ParameterValue, parameterText } from "./parameters.js";
import { isAddress } from "./sources.js";

/** Paths are absolute: the file's own are relative to its folder. */
export interface Defaults {
  /** The file they came from; undefined when there is none. */
  readonly file: string | undefined;
  readonly with: readonly string[];
  readonly mount: readonly string[];
  readonly env: readonly string[];
  readonly images: Readonly<Record<string, ImageEntry>>;
  readonly runtime: string | undefined;
  readonly parameters: readonly ParameterValue[];
}

export const noDefaults: Defaults = {
  file: undefined,
  with: [],
  mount: [],
  env: [],
  images: {},
  runtime: undefined,
  parameters: [],
};

const FIELDS = ["with", "mount", "env", "images", "runtime", "parameters"] as const;

export async function readDefaults(folder: string): Promise<Defaults> {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "tiphys.yaml");
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) return parseDefaults(text, file);
    if (dirname(at) === at) return noDefaults;
  }
}

/** Rejects with ProblemsError when the file is not what it should be. */
export function parseDefaults(text: string, file: string): Defaults {
  const read = readDocuments(text, file);
  // Nothing in it yet, or nothing but comments.
  if (read.problems.length > 0 && read.problems.every(({ code }) => code === "empty")) return { ...noDefaults, file };
  const document = read.documents[0];
  const problems = [...read.problems, ...(document === undefined ? [] : problemsOf(document))];
  if (document === undefined || problems.length > 0 || !isJsonObject(document.value)) {
    throw new ProblemsError(exitCodes.badInput, problems, new Map([[file, text]]));
  }
  const { value } = document;
  const folder = dirname(file);
  return {
    file,
    with: texts(value["with"]).map((path) => (isAddress(path) ? path : resolve(folder, path))),
    mount: texts(value["mount"]).map((mount) => absoluteMount(mount, folder)),
    env: environment(value["env"]),
    images: imageEntries(value["images"] ?? {}, `${file}: images`),
    runtime: typeof value["runtime"] === "string" ? value["runtime"] : undefined,
    parameters: entries(value["parameters"]).map(([name, one]) => ({ name, value: parameterText(one) })),
  };
}

function problemsOf(document: SourceDocument): readonly Problem[] {
  if (!isJsonObject(document.value)) return [problemAt(document, "", `expected a map with ${FIELDS.join(", ")}`)];
  return Object.entries(document.value).flatMap(([field, value]) => fieldProblems(document, field, value));
}

function problemAt(document: SourceDocument, path: string, message: string): Problem {
  const position = document.keyPositionOf(path);
  const told = path === "" ? message : `${path}: ${message}`;
  const problem = { code: "wrong-type", severity: "error", path, message: told } as const;
  return position === undefined ? problem : { ...problem, position };
}

function fieldProblems(document: SourceDocument, field: string, value: Json): readonly Problem[] {
  const known = FIELDS.find((name) => name === field);
  if (known === undefined) {
    const near = nearestName(field, FIELDS);
    const hint = near === undefined ? `known are ${FIELDS.join(", ")}` : `did you mean "${near}"?`;
    return [{ ...problemAt(document, field, "no such field"), code: "unknown-field", hint }];
  }
  const wanted = WANTED[known].find(({ holds }) => holds(value));
  return wanted === undefined
    ? [problemAt(document, field, `expected ${WANTED[known].map(({ name }) => name).join(" or ")}`)]
    : [];
}

interface Shape {
  readonly name: string;
  readonly holds: (value: Json) => boolean;
}

const map: Shape = { name: "a map", holds: isJsonObject };
const text: Shape = { name: "a text", holds: (value) => typeof value === "string" };
const list: Shape = {
  name: "a list of texts",
  holds: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};

const WANTED: Readonly<Record<(typeof FIELDS)[number], readonly Shape[]>> = {
  with: [text, list],
  mount: [text, list],
  env: [text, list, map],
  images: [map],
  runtime: [text],
  parameters: [map],
};

function texts(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function environment(value: Json | undefined): readonly string[] {
  if (isJsonObject(value)) return Object.entries(value).map(([name, one]) => `${name}=${parameterText(one)}`);
  return texts(value);
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function absoluteMount(mount: string, folder: string): string {
  const [source = "", ...rest] = mount.split(":");
  return [resolve(folder, source), ...rest].join(":");
}
