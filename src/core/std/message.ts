/** What an error says, whatever it is that was thrown. */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
