/** What a URL of the API names. */

/** One object, or all of a type (in a namespace, or everywhere). */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  /** Undefined: all objects of the type. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Undefined: the URL names no resource. */
export function resourcePathOf(segments: readonly string[]): ResourcePath | undefined {
  const [root, first, second, ...rest] = segments;
  if (root === "api" && first !== undefined) {
    return below({ group: "", version: first }, second === undefined ? [] : [second, ...rest]);
  }
  return root === "apis" && first !== undefined && second !== undefined
    ? below({ group: first, version: second }, rest)
    : undefined;
}

type Api = Pick<ResourcePath, "group" | "version">;

function below(api: Api, segments: readonly string[]): ResourcePath | undefined {
  const [first, second, third, ...rest] = segments;
  // `namespaces/x/status` is about the namespace, `namespaces/x/pods` about what is in it.
  const isInside = first === "namespaces" && third !== undefined && !isNamespaceSubresource(api, third);
  return isInside ? resource(api, [third, ...rest], second) : resource(api, segments, undefined);
}

function isNamespaceSubresource(api: Api, segment: string): boolean {
  return api.group === "" && (segment === "status" || segment === "finalize");
}

function resource(api: Api, segments: readonly string[], namespace: string | undefined): ResourcePath | undefined {
  const [plural, name, subresource, ...rest] = segments;
  return plural === undefined || rest.length > 0 ? undefined : { ...api, plural, namespace, name, subresource };
}

/** The decoded segments of a path; undefined when it cannot be decoded. */
export function segmentsOf(pathname: string): readonly string[] | undefined {
  try {
    return pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
