/** The objects of `--with`, `--secret` and `--configmap`, where nothing is run from files. */

import type { GivenName } from "../../artifacts/given.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import type { Problem } from "../../core/std/problem.js";
import { type Context, defaultNamespace } from "../context.js";
import { ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { configProblems } from "./config-problems.js";
import { withGiven } from "./given-artifacts.js";
import { configMapOf, type NamedData, secretOf } from "./key-values.js";
import { inNamespace } from "./namespaces.js";
import { loadAll } from "./prepare.js";
import { hasErrors } from "./resources.js";

export interface GivenFlags {
  readonly with: readonly string[];
  readonly secrets: NamedData;
  readonly configMaps: NamedData;
  readonly strict: boolean;
  /** What `--artifact` gives. */
  readonly artifacts: readonly GivenName[];
}

export interface ObjectsGiven {
  readonly objects: readonly KubeObject[];
  /** Warnings and notices; the errors were thrown. */
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
}

/** In the default namespace where they name none. Workflows among them are left out: they are submitted, not given. */
export async function objectsGiven(context: Context, flags: GivenFlags): Promise<ObjectsGiven> {
  const read = await loadAll(context, { texts: [], problems: [] }, flags);
  const loaded = { ...read, resources: withGiven(read.resources, flags.artifacts) };
  if (hasErrors(loaded.problems)) throw new ProblemsError(exitCodes.badInput, loaded.problems, loaded.texts);
  const namespace = defaultNamespace(context);
  const given = loaded.resources.map(({ resource }) => resource).filter(({ kind }) => kind !== "Workflow");
  const objects = [
    ...given.map((object) => inNamespace(object, namespace)),
    ...[...flags.secrets].map(([name, data]) => secretOf(name, namespace, data)),
    ...[...flags.configMaps].map(([name, data]) => configMapOf(name, namespace, data)),
  ];
  const { faults, unsupported } = configProblems(objects, loaded.resources);
  if (hasErrors(faults)) throw new ProblemsError(exitCodes.badInput, [...faults, ...unsupported], loaded.texts);
  if (hasErrors(unsupported)) throw new ProblemsError(exitCodes.cannotRun, unsupported, loaded.texts);
  return { objects, problems: [...faults, ...unsupported], texts: loaded.texts };
}
