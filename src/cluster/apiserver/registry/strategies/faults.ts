/** Parts of an object with their paths, and what is wrong with them in Kubernetes' words. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../../core/std/json.js";

export interface Part {
  readonly path: string;
  readonly value: JsonObject;
}

export function partOf({ path, value }: Part, field: string): Part | undefined {
  const inner = value[field];
  return isJsonObject(inner) ? { path: `${path}.${field}`, value: inner } : undefined;
}

export function partsOf({ path, value }: Part, field: string): readonly Part[] {
  const list = value[field];
  if (!isJsonList(list)) return [];
  return list.map((item, index) => ({ path: `${path}.${field}[${index}]`, value: isJsonObject(item) ? item : {} }));
}

export function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

export function required(path: string): string {
  return `${path}: Required value`;
}

export function invalid(path: string, value: Json, why: string): string {
  return `${path}: Invalid value: ${JSON.stringify(value)}: ${why}`;
}

export function duplicate(path: string, value: Json): string {
  return `${path}: Duplicate value: ${JSON.stringify(value)}`;
}

/** A text that is missing or empty. */
export function missingFaults({ path, value }: Part, field: string): readonly string[] {
  return isText(value[field]) ? [] : [required(`${path}.${field}`)];
}

/** What is not given is right. */
export function wordFaults({ path, value }: Part, field: string, words: readonly string[]): readonly string[] {
  const word = value[field];
  if (word === undefined || word === "" || words.includes(String(word))) return [];
  const known = words.map((one) => JSON.stringify(one)).join(", ");
  return [`${path}.${field}: Unsupported value: ${JSON.stringify(word)}: supported values: ${known}`];
}

export interface Range {
  readonly min: number;
  readonly max: number;
  /** `must be …` */
  readonly text: string;
}

/** What is not given is right. */
export function rangeFaults({ path, value }: Part, field: string, { min, max, text }: Range): readonly string[] {
  const number = value[field];
  if (typeof number !== "number" || (number >= min && number <= max)) return [];
  return [invalid(`${path}.${field}`, number, text)];
}

/** A path below some folder: what is not given is right. */
export function insideFaults({ path, value }: Part, field: string): readonly string[] {
  const inner = value[field];
  if (!isText(inner)) return [];
  if (inner.startsWith("/")) return [invalid(`${path}.${field}`, inner, "must be a relative path")];
  return inner.split("/").includes("..") ? [invalid(`${path}.${field}`, inner, "must not contain '..'")] : [];
}
