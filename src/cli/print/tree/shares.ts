/** How many lines of the screen each workflow's tree gets, where several run at once: together at most half of it. */

export interface Shares {
  /** For each workflow; 0 for one that is not shown. */
  readonly lines: readonly number[];
  /** Workflows that are not shown: one line says so. */
  readonly hidden: number;
}

/** Lines that all trees may take together. */
export function treeLines(rows: number): number {
  return Math.max(1, Math.floor(rows / 2));
}

/** What still runs shares the room; of what has ended its first line does, as long as there is one for it. */
export function shares(hasEnded: readonly boolean[], room: number): Shares {
  if (hasEnded.length <= room) {
    const open = hasEnded.filter((ended) => !ended).length || hasEnded.length;
    const ended = hasEnded.length - open;
    const each = Math.floor((room - ended) / open);
    return { lines: hasEnded.map((one) => (one && ended > 0 ? 1 : each)), hidden: 0 };
  }
  const shown = shownOf(hasEnded, Math.max(1, room - 1));
  const lines = hasEnded.map((_, index) => (shown.has(index) ? 1 : 0));
  return { lines, hidden: room === 1 ? 0 : hasEnded.length - shown.size };
}

/** What runs comes first. */
function shownOf(hasEnded: readonly boolean[], count: number): ReadonlySet<number> {
  const all = hasEnded.map((ended, index) => ({ ended, index }));
  const urgent = [...all.filter(({ ended }) => !ended), ...all.filter(({ ended }) => ended)];
  return new Set(urgent.slice(0, count).map(({ index }) => index));
}
