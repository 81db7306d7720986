/**
 * Artifacts that a person gave by `--artifact [TEMPLATE.]NAME=PATH` where the workflow names no location: they get one that
 * says "as given", so that nothing is found missing, and the executor puts the file there.
 */

import type { Artifact, ArtifactLocation } from "../core/model/argo/artifact.js";
import type { Template } from "../core/model/argo/template.js";
import type { WorkflowSpec } from "../core/model/argo/workflow.js";
import { withoutLocation } from "./locate.js";

export interface GivenName {
  /** Null: the artifact of that name in any template, and the workflow's argument. */
  readonly template: string | null;
  readonly name: string;
}

/** No host can have this name (RFC 2606). */
const GIVEN_ENDPOINT = "given.tiphys.invalid";

/** A location that only the executor of this machine understands; bucket: the template, or nothing for any. */
export function givenLocation({ template, name }: GivenName): ArtifactLocation {
  return { s3: { endpoint: GIVEN_ENDPOINT, bucket: template ?? "-", key: name } };
}

/** Which given artifact a location stands for; undefined for any other location. */
export function givenNameOf({ s3 }: ArtifactLocation): GivenName | undefined {
  if (s3?.endpoint !== GIVEN_ENDPOINT) return undefined;
  return { template: s3.bucket === "-" ? null : (s3.bucket ?? null), name: s3.key ?? "" };
}

/** What stands in the place of a given artifact's location. */
export type PlaceOf = (given: GivenName) => ArtifactLocation;

/**
 * The spec with each artifact that was given in the place that `placeOf` says, the workflow's arguments and templates' inputs,
 * wherever they lay: neither their store nor its secrets are needed any more. What a caller passes stays as it is.
 */
export function withGivenArtifacts(
  spec: WorkflowSpec,
  given: readonly GivenName[],
  placeOf: PlaceOf = givenLocation,
): WorkflowSpec {
  if (given.length === 0) return spec;
  const { arguments: args, templates } = spec;
  const general = given.filter(({ template }) => template === null);
  const place = (artifacts: readonly Artifact[], names: readonly GivenName[]): readonly Artifact[] =>
    artifacts.map((artifact) => {
      const one = names.find(({ name }) => name === artifact.name);
      return one === undefined || isPassed(artifact) ? artifact : { ...withoutLocation(artifact), ...placeOf(one) };
    });
  return {
    ...spec,
    ...(args?.artifacts === undefined ? {} : { arguments: { ...args, artifacts: place(args.artifacts, general) } }),
    ...(templates === undefined ? {} : { templates: templates.map((template) => withInputs(template, given, place)) }),
  };
}

function isPassed({ from, fromExpression }: Artifact): boolean {
  return Boolean(from) || Boolean(fromExpression);
}

type Place = (artifacts: readonly Artifact[], given: readonly GivenName[]) => readonly Artifact[];

function withInputs(template: Template, given: readonly GivenName[], place: Place): Template {
  const { name, inputs } = template;
  if (inputs?.artifacts === undefined) return template;
  // Its own first: that one counts.
  const own = given.filter((one) => one.template !== null && one.template === name);
  const general = given.filter((one) => one.template === null);
  return { ...template, inputs: { ...inputs, artifacts: place(inputs.artifacts, [...own, ...general]) } };
}
