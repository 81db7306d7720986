/**
 * The default repository on one machine: the place's own folder. Argo's model has no driver for that, so it is written as an
 * S3 location with an endpoint that is no host; a node's outputs show `s3: {key: …}`, as with any default repository.
 */

import type { ArtifactLocation, ArtifactRepository } from "../core/model/argo/artifact.js";

/** No host can have this name (RFC 2606): a location with it is a path of the place. */
const PLACE_ENDPOINT = "place.tiphys.invalid";

/** Keys are Argo's default: `<workflow>/<pod>/<file>`. */
export const placeRepository = {
  s3: { endpoint: PLACE_ENDPOINT, bucket: "artifacts" },
} as const satisfies ArtifactRepository;

/** A location in the place, for outputs of a pod that no repository was found for. */
export function placeLocation(key: string): ArtifactLocation {
  return { s3: { ...placeRepository.s3, key } };
}

export function isInPlace({ s3 }: ArtifactLocation): boolean {
  return s3?.endpoint === PLACE_ENDPOINT;
}
