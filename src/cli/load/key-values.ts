/** `--secret`, `--configmap`, `--env`, `--env-file`: names and values from files, folders, the environment, or the flag. */

import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { labels } from "../../core/model/argo/names.js";
import type { ConfigMap, Secret } from "../../core/model/kube/core.js";
import { badInput } from "../errors.js";
import type { Ports } from "../ports.js";
import { allOrErrors, readEach } from "../tell-together.js";
import { parseDotenv } from "./dotenv.js";
import { reasonOf } from "./sources.js";

type Surroundings = Pick<Ports, "env" | "cwd">;

/** Name -> key -> bytes; several flags for one name add up. */
export type NamedData = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/**
 * `NAME=FILE.env`, `NAME=FOLDER` (a key for each file), `NAME=FILE` (one key: the file's name), `NAME/KEY=VALUE`,
 * `NAME/KEY` (the environment variable KEY).
 */
export async function namedData(ports: Surroundings, flag: string, given: readonly string[]): Promise<NamedData> {
  const data = new Map<string, Map<string, Buffer>>();
  for (const { name, values } of await readEach(given, (word) => oneOf(ports, flag, word))) {
    const before = data.get(name) ?? new Map<string, Buffer>();
    for (const [key, value] of values) before.set(key, value);
    data.set(name, before);
  }
  return data;
}

interface NamedValues {
  readonly name: string;
  readonly values: ReadonlyMap<string, Buffer>;
}

const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

async function oneOf(ports: Surroundings, flag: string, word: string): Promise<NamedValues> {
  const match = /^([^/=]+)(?:\/([^=]+))?(?:=([\s\S]*))?$/.exec(word);
  const [, name = "", key, value] = match ?? [];
  if (!NAME.test(name)) throw wrongForm(flag, word);
  if (key !== undefined) return { name, values: new Map([[key, literal(ports, { flag, name, key, value })]]) };
  if (value === undefined || value === "") throw wrongForm(flag, word);
  return { name, values: await fromPath(ports, flag, value) };
}

function wrongForm(flag: string, word: string): Error {
  return badInput(
    `${flag} ${word}: not in a form I know`,
    `${flag} NAME=.env, ${flag} NAME=FOLDER, ${flag} NAME/KEY=VALUE, or ${flag} NAME/KEY (from the environment)`,
  );
}

interface Literal {
  readonly flag: string;
  readonly name: string;
  readonly key: string;
  readonly value: string | undefined;
}

function literal(ports: Surroundings, { flag, name, key, value }: Literal): Buffer {
  const text = value ?? ports.env.get(key);
  if (text !== undefined) return Buffer.from(text);
  throw badInput(
    `${flag} ${name}/${key}: the environment has no ${key}`,
    `set it, or give ${flag} ${name}/${key}=VALUE`,
  );
}

async function fromPath(ports: Surroundings, flag: string, value: string): Promise<ReadonlyMap<string, Buffer>> {
  const path = resolve(ports.cwd, value);
  try {
    if ((await stat(path)).isDirectory()) return await fromFolder(path);
    const name = path.split("/").at(-1) ?? "";
    const bytes = await readFile(path);
    if (!/(^|\.)env($|\.)/.test(name)) return new Map([[name, bytes]]);
    return new Map([...dotenvValues(bytes.toString("utf8"), `${flag} ${value}`)].map(([k, v]) => [k, Buffer.from(v)]));
  } catch (error) {
    if (error instanceof Error && "code" in error) throw badInput(`${flag} ${value}: ${reasonOf(error)}`);
    throw error;
  }
}

async function fromFolder(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const values = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile() || entry.isSymbolicLink()) {
      const bytes = await readFile(join(folder, entry.name)).catch(() => undefined);
      if (bytes !== undefined) values.set(entry.name, bytes);
    }
  }
  return values;
}

function dotenvValues(text: string, where: string): ReadonlyMap<string, string> {
  const parsed = parseDotenv(text);
  if (parsed.ok) return parsed.value;
  throw badInput(`${where}, line ${parsed.error.line}: ${parsed.error.message}`);
}

/** `--env NAME=VALUE`, `--env NAME` (from the environment), after those of `--env-file`. */
export async function environmentOf(
  ports: Surroundings,
  given: readonly string[],
  files: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const [filed, typed] = await allOrErrors([
    readEach(files, (file) => fromEnvFile(ports, file)),
    readEach(given, (word) => fromWord(ports, word)),
  ]);
  return Object.fromEntries([...filed.flatMap((values) => [...values]), ...typed]);
}

async function fromEnvFile(ports: Surroundings, file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(resolve(ports.cwd, file), "utf8").catch((error: unknown) => {
    throw badInput(`--env-file ${file}: ${reasonOf(error)}`);
  });
  return dotenvValues(text, `--env-file ${file}`);
}

function fromWord(ports: Surroundings, word: string): readonly [name: string, value: string] {
  const [, name = "", value] = /^([A-Za-z_][\w]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === "") throw badInput(`--env ${word}: expected NAME=VALUE, or NAME`);
  const text = value ?? ports.env.get(name);
  if (text === undefined) throw badInput(`--env ${name}: the environment has no ${name}`, `give --env ${name}=VALUE`);
  return [name, text];
}

export function secretOf(name: string, namespace: string, data: ReadonlyMap<string, Buffer>): Secret {
  const encoded = Object.fromEntries([...data].map(([key, bytes]) => [key, bytes.toString("base64")]));
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, type: "Opaque", data: encoded };
}

/** Labelled so that parameters may take their values from it (Argo 4.1 behaviour 3.5). */
export function configMapOf(name: string, namespace: string, data: ReadonlyMap<string, Buffer>): ConfigMap {
  const metadata = { name, namespace, labels: { [labels.configMapType]: "Parameter" } };
  const text: Record<string, string> = {};
  const binary: Record<string, string> = {};
  for (const [key, bytes] of data) {
    if (bytes.equals(Buffer.from(bytes.toString("utf8")))) text[key] = bytes.toString("utf8");
    else binary[key] = bytes.toString("base64");
  }
  const binaryData = Object.keys(binary).length === 0 ? {} : { binaryData: binary };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: text, ...binaryData };
}
