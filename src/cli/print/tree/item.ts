/** The live tree before it is fitted to a screen: one item a task, loops and groups with their own inside. */

export type ItemState =
  | "waiting"
  | "cannotRun"
  | "pending"
  | "running"
  | "suspended"
  | "succeeded"
  | "skipped"
  | "failed"
  | "error";

export interface TreeItem {
  /** Node ID; empty for a task that has not begun. */
  readonly id: string;
  readonly label: string;
  readonly state: ItemState;
  /** What it waits for, why it failed, which attempt it is. */
  readonly note: string;
  /** The last line it wrote, while it runs. */
  readonly lastLine: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly kind: "leaf" | "group" | "loop";
  readonly children: readonly TreeItem[];
}

/** Rows that are never folded away. */
export function isActive(item: TreeItem): boolean {
  return item.state === "running" || item.state === "suspended" || isFailure(item);
}

export function isFailure(item: TreeItem): boolean {
  return item.state === "failed" || item.state === "error";
}

export function isDone(item: TreeItem): boolean {
  return item.state === "succeeded" || item.state === "skipped";
}

/** Not begun, or begun and not yet started. */
export function isAhead(item: TreeItem): boolean {
  return item.state === "waiting" || item.state === "cannotRun" || item.state === "pending";
}
