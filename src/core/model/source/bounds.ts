/** Checks on what the fast parser made: an acyclic tree of JSON, not much larger than its file once aliases are copied. */

import type { Json } from "../../std/json.js";

/** Deepest nesting that is read; Kubernetes objects stay below 40. */
export const depthMax = 400;
/** Longest file that is read, in UTF-16 code units; what a cluster can store is a tenth of it. */
export const textLengthMax = 20 * 1024 * 1024;
/** What copied aliases may add to a document: values plus characters of text. */
const EXPANSION_MAX = 10_000_000;

export type TreeFault = "cycle" | "expansion" | "complex-key" | "not-json";

/** The text js-yaml gives to a key that is itself a map, as in `{{name}}`. */
const COMPLEX_KEY = "[object Object]";

interface Frame {
  readonly value: object;
  readonly children: readonly unknown[];
  next: number;
  size: number;
}

/**
 * The first fault of a parsed tree, or undefined. Works without recursion and visits a shared value once, so neither
 * depth nor aliases can hurt it.
 */
export function faultOfTree(root: unknown, textLength: number): TreeFault | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const stack: Frame[] = [frameOf([root])];
  const limit = EXPANSION_MAX + 2 * textLength;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.size > limit) return "expansion";
    if (frame.next < frame.children.length) {
      const child = frame.children[frame.next++];
      const size = scalarSize(child) ?? sizes.get(Object(child));
      if (size !== undefined) {
        frame.size += size;
        continue;
      }
      const fault = faultOfNode(child, open);
      if (fault !== undefined) return fault;
      const below = frameOf(child);
      open.add(below.value);
      stack.push(below);
    } else {
      stack.pop();
      open.delete(frame.value);
      sizes.set(frame.value, frame.size);
      const parent = stack.at(-1);
      if (parent !== undefined) parent.size += frame.size;
    }
  }
  return undefined;
}

/** Whether a tree without fault is JSON: the type system's view of {@link faultOfTree}. */
export function isSoundJson(root: unknown, fault: TreeFault | undefined): root is Json {
  return fault === undefined;
}

function scalarSize(value: unknown): number | undefined {
  if (typeof value === "string") return 1 + value.length;
  return value === null || typeof value === "number" || typeof value === "boolean" ? 1 : undefined;
}

function faultOfNode(value: unknown, open: ReadonlySet<object>): TreeFault | undefined {
  if (typeof value !== "object" || value === null) return "not-json";
  if (open.has(value)) return "cycle";
  return Object.hasOwn(value, COMPLEX_KEY) ? "complex-key" : undefined;
}

function frameOf(value: unknown): Frame {
  const object = Object(value);
  return { value: object, children: Object.values(object), next: 0, size: 1 };
}
