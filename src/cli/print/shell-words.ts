/** Commands as a person can copy them: quoted for a POSIX shell. */

const SAFE = /^[A-Za-z0-9_@%+=:,./~^-]+$/;

export function shellWord(word: string): string {
  if (SAFE.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
