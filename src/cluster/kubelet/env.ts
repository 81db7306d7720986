/** A container's environment: env, envFrom, references to ConfigMaps, Secrets and the pod itself. */

import type { Container, EnvFromSource, EnvVar } from "../../core/model/kube/pod.js";
import { err, ok, type Result } from "../../core/std/result.js";
import type { ConfigData, ConfigKind, ConfigSource, MissingConfig } from "./config-source.js";
import { fieldValue, type PodFacts, resourceValue } from "./downward.js";
import { expandVariables } from "./expand.js";

/** Why the container cannot be made: something that may come later, or a fault in its spec. */
export type EnvFault = { readonly missing: MissingConfig } | { readonly message: string };

export type ContainerEnv = ReadonlyMap<string, string>;

/** Later names win; `$(NAME)` sees what stands before it. */
export async function resolveEnv(
  container: Container,
  facts: PodFacts,
  source: Pick<ConfigSource, "read">,
): Promise<Result<ContainerEnv, EnvFault>> {
  const env = new Map<string, string>();
  const reader = new EnvReader(facts, source);
  for (const from of container.envFrom ?? []) {
    const added = await reader.all(from);
    if (!added.ok) return added;
    for (const [name, value] of added.value) env.set(name, value);
  }
  for (const variable of container.env ?? []) {
    const value = await reader.one(container, variable, (name) => env.get(name));
    if (!value.ok) return value;
    if (value.value !== undefined) env.set(variable.name, value.value);
  }
  return ok(env);
}

class EnvReader {
  readonly #facts: PodFacts;
  readonly #source: Pick<ConfigSource, "read">;
  readonly #read = new Map<string, ConfigData | undefined>();

  constructor(facts: PodFacts, source: Pick<ConfigSource, "read">) {
    this.#facts = facts;
    this.#source = source;
  }

  async all(from: EnvFromSource): Promise<Result<ContainerEnv, EnvFault>> {
    const kind: ConfigKind = from.configMapRef === undefined ? "secret" : "configmap";
    const reference = from.configMapRef ?? from.secretRef;
    const name = reference?.name ?? "";
    const data = await this.#data(kind, name);
    if (data === undefined) return reference?.optional === true ? ok(new Map()) : err(this.#notFound(kind, name));
    const entries = [...data].filter(([key]) => /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key));
    return ok(new Map(entries.map(([key, bytes]) => [`${from.prefix ?? ""}${key}`, bytes.toString("utf8")])));
  }

  async one(
    container: Container,
    variable: EnvVar,
    lookUp: (name: string) => string | undefined,
  ): Promise<Result<string | undefined, EnvFault>> {
    const from = variable.valueFrom;
    if (from === undefined) return ok(expandVariables(variable.value ?? "", lookUp));
    if (from.fieldRef !== undefined)
      return known(fieldValue(from.fieldRef.fieldPath, this.#facts), from.fieldRef.fieldPath);
    if (from.resourceFieldRef !== undefined) return this.#resource(container, from.resourceFieldRef);
    if (from.configMapKeyRef !== undefined) return this.#key("configmap", from.configMapKeyRef);
    if (from.secretKeyRef !== undefined) return this.#key("secret", from.secretKeyRef);
    return err({ message: `env ${variable.name}: this kind of valueFrom is not known here` });
  }

  #resource(container: Container, reference: NonNullable<NonNullable<EnvVar["valueFrom"]>["resourceFieldRef"]>) {
    const { resource, divisor } = reference;
    const name = typeof resource === "string" ? resource : "";
    const unit = typeof divisor === "string" || typeof divisor === "number" ? String(divisor) : "";
    return known(resourceValue(container, name, unit, this.#facts), name);
  }

  async #key(
    kind: ConfigKind,
    reference: { readonly name?: string; readonly key: string; readonly optional?: boolean },
  ): Promise<Result<string | undefined, EnvFault>> {
    const name = reference.name ?? "";
    const data = await this.#data(kind, name);
    const bytes = data?.get(reference.key);
    if (bytes !== undefined) return ok(bytes.toString("utf8"));
    if (reference.optional === true) return ok(undefined);
    if (data === undefined) return err(this.#notFound(kind, name));
    const word = kind === "configmap" ? "ConfigMap" : "Secret";
    const message = `couldn't find key ${reference.key} in ${word} ${this.#namespace}/${name}`;
    return err({ missing: { kind, namespace: this.#namespace, name, message } });
  }

  get #namespace(): string {
    return this.#facts.pod.metadata.namespace ?? "";
  }

  #notFound(kind: ConfigKind, name: string): EnvFault {
    return { missing: { kind, namespace: this.#namespace, name, message: `${kind} "${name}" not found` } };
  }

  async #data(kind: ConfigKind, name: string): Promise<ConfigData | undefined> {
    const key = `${kind}/${name}`;
    if (!this.#read.has(key)) this.#read.set(key, await this.#source.read(kind, this.#namespace, name));
    return this.#read.get(key);
  }
}

function known(value: string | undefined, path: string): Result<string | undefined, EnvFault> {
  return value === undefined ? err({ message: `unsupported fieldPath: ${path}` }) : ok(value);
}
