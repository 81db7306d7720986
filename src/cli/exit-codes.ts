/** The exit codes a user's scripts may rely on. */

export const exitCodes = {
  succeeded: 0,
  /** The workflow Failed or is in Error; lint found something. */
  failed: 1,
  /** Bad input; nothing was started. */
  badInput: 2,
  /** Cannot run on this machine; nothing was started. */
  cannotRun: 3,
  /** Our own failure, or the store's. */
  internal: 4,
  interrupted: 130,
  terminated: 143,
} as const;
