/** This process's environment, without what is not set. */

/** An empty CONTAINER_HOST is none, as it is to docker; podman would take it for an address. */
export function environment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name, value]) => name !== "CONTAINER_HOST" || value !== ""));
}
