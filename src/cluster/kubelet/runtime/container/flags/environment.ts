/** A container's environment as flags: values stay off the command line, where other users could read them. */

export interface EnvironmentFlags {
  readonly flags: readonly string[];
  /** For the program's own environment, from which it takes the values. */
  readonly env: Readonly<Record<string, string>>;
}

/** Variables that the program itself obeys, or its loader does. */
const OBEYED =
  /^(?:PATH|HOME|USER|TMPDIR|TERM|HOSTNAME|container|NOTIFY_SOCKET|.*_proxy|.*_PROXY|(?:_?DOCKER|BUILDKIT|COMPOSE|_?CONTAINERS?|_?PODMAN|BUILDAH|STORAGE|REGISTRY|XDG|LD|LISTEN|GO|SSL|SSH|DBUS|OTEL|LC|LANG)(?:_.*)?|GO[A-Z]+)$/;

/** `own`: the names in the program's environment. */
export function environmentFlags(
  variables: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>>,
): EnvironmentFlags {
  const flags: string[] = [];
  const env: Record<string, string> = {};
  for (const [name, value] of variables) {
    // podman takes a name ending in * for a pattern.
    const isPlain = Object.hasOwn(own, name) || OBEYED.test(name) || name.endsWith("*");
    flags.push("--env", isPlain ? `${name}=${value}` : name);
    if (!isPlain) env[name] = value;
  }
  return { flags, env };
}
