/** Fields of Argo 3 that version 4 no longer has, and what to write instead (Argo 4.1 behaviour 1.1.1, 8.10). */

interface RetiredField {
  /** Matches the path of the map that held it. */
  readonly parent: RegExp;
  readonly hint: string;
}

const RETIRED: ReadonlyMap<string, RetiredField> = new Map([
  ["schedule", { parent: /^spec$/, hint: "Argo 4 takes a list: schedules: [...]" }],
  ["mutex", { parent: /synchronization$/, hint: "Argo 4 takes a list: mutexes: [{name: ...}]" }],
  ["semaphore", { parent: /synchronization$/, hint: "Argo 4 takes a list: semaphores: [...]" }],
  ["ttlSecondsAfterFinished", { parent: /[sS]pec$/, hint: "Argo 4: ttlStrategy: {secondsAfterCompletion: ...}" }],
  ["podPriority", { parent: /[sS]pec$/, hint: "Argo 4: podPriorityClassName" }],
  ["priority", { parent: /templates\[\d+\]$/, hint: "Argo 4: priorityClassName" }],
]);

/** What to write instead of `key` below `parentPath`; undefined when Argo never had it there. */
export function retiredFieldHint(parentPath: string, key: string): string | undefined {
  const field = RETIRED.get(key);
  return field?.parent.test(parentPath) ? field.hint : undefined;
}
