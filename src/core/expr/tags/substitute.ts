/** Puts variables and expressions into every text of a value (Argo 4.1 behaviour 4.1, 4.2). */

import { err, ok, type Result } from "../../std/result.js";
import type { ExprContext, Scope } from "../scope.js";
import { createExpressionResolver, type ExpressionResolver } from "./expression.js";
import type { SubstituteError, SubstituteMode } from "./modes.js";
import { mayHoldTags, scanTags } from "./scan.js";
import { resolveSimple } from "./simple.js";

export interface SubstituteOptions {
  readonly mode: SubstituteMode;
  readonly context: ExprContext;
}

/** A text may not grow beyond this: a loop of references would fill the memory. */
const MAX_TEXT_LENGTH = 32 * 1024 * 1024;

interface Pass {
  readonly scope: Scope;
  readonly mode: SubstituteMode;
  readonly expressions: ExpressionResolver;
  /** The first failure; the walk stops there. */
  failure: SubstituteError | undefined;
}

/**
 * The same value with the tags of all its texts, and of its fields' names, replaced. What is put in is never scanned
 * again in the same pass. Parts without tags are shared with the input, and so is the whole when nothing changed.
 */
export function substitute<T>(value: T, scope: Scope, options: SubstituteOptions): Result<T, SubstituteError>;
export function substitute(value: unknown, scope: Scope, options: SubstituteOptions): Result<unknown, SubstituteError> {
  const expressions = createExpressionResolver(scope, options);
  const pass: Pass = { scope, mode: options.mode, expressions, failure: undefined };
  const replaced = walk(value, pass);
  return pass.failure === undefined ? ok(replaced) : err(pass.failure);
}

/** As `substitute`, for a single text. */
export function substituteText(
  text: string,
  scope: Scope,
  options: SubstituteOptions,
): Result<string, SubstituteError> {
  return substitute(text, scope, options);
}

function walk(value: unknown, pass: Pass): unknown {
  if (typeof value === "string") return mayHoldTags(value) ? replaceTags(value, pass) : value;
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? walkList(value, pass) : walkObject(value, pass);
}

function walkList(list: readonly unknown[], pass: Pass): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const replaced = walk(list[index], pass);
    if (pass.failure !== undefined) return list;
    if (replaced === list[index]) continue;
    changed ??= [...list];
    changed[index] = replaced;
  }
  return changed ?? list;
}

function walkObject(object: object, pass: Pass): object {
  const fields = Object.keys(object);
  let changed: [string, unknown][] | undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] ?? "";
    const element: unknown = Reflect.get(object, field);
    const newField = mayHoldTags(field) ? replaceTags(field, pass) : field;
    const replaced = walk(element, pass);
    if (pass.failure !== undefined) return object;
    if (newField !== field || replaced !== element) changed ??= Object.entries(object).slice(0, index);
    changed?.push([newField, replaced]);
  }
  // fromEntries defines fields, so that a field called __proto__ is only a field.
  return changed === undefined ? object : Object.fromEntries(changed);
}

function replaceTags(text: string, pass: Pass): string {
  let replaced = "";
  for (const part of scanTags(text)) {
    if (part.kind === "literal") {
      replaced += part.text;
      continue;
    }
    const value = resolve(part.text, pass);
    if (!value.ok) {
      pass.failure ??= value.error;
      return text;
    }
    replaced += value.value;
    if (replaced.length > MAX_TEXT_LENGTH) {
      const message = `text grows beyond ${MAX_TEXT_LENGTH} characters by {{${part.text}}}`;
      pass.failure ??= { kind: "failed", tag: part.text, message };
      return text;
    }
  }
  return replaced;
}

function resolve(tag: string, pass: Pass): Result<string, SubstituteError> {
  return tag.startsWith("=") ? pass.expressions(tag.slice(1)) : resolveSimple(tag, pass.scope, pass.mode);
}
