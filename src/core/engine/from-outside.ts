/** What a node says that was ended from outside: by a shutdown, by a deadline. Argo's words. */

/** For a template that took too long before its pod ran. */
export const TIMEOUT = "timeout";
export const DEADLINE = "Step exceeded its deadline";

const SHUTDOWN = "workflow shutdown with strategy:";

/** Argo's two texts differ by a space (appendix, 4). */
export function shutdownMessage(strategy: string, hasPod: "has a pod" | "has no pod"): string {
  return `${SHUTDOWN}${hasPod === "has a pod" ? "  " : " "}${strategy}`;
}

/** Not of the pod itself: how that really ended may still be told. */
export function isFromOutside(message: string): boolean {
  return message === DEADLINE || message.startsWith(`${SHUTDOWN} `);
}
