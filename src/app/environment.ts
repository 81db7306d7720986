/** This process's environment, without what is not set. */

export function environment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
