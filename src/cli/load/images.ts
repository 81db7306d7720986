/** The table image -> what it runs, in the form of Argo's controller configuration (Argo 4.1 behaviour 9.1). */

import { isJsonObject, type Json, type JsonObject } from "../../core/std/json.js";
import { badInput } from "../errors.js";
import type { ImageEntry } from "../ports.js";

/** `{ image: { entrypoint: [...], cmd: [...] } }`; `image: program` and `image: [program, arg]` are short for it. */
export function imageEntries(value: Json, where: string): Readonly<Record<string, ImageEntry>> {
  if (!isJsonObject(value)) throw badInput(`${where}: expected a map of images`);
  return Object.fromEntries(
    Object.entries(value).map(([image, entry]) => {
      const read = imageEntry(entry);
      if (read === undefined) {
        throw badInput(`${where}: ${image}: expected a program, a list, or a map with entrypoint and cmd`);
      }
      return [image, read];
    }),
  );
}

function imageEntry(value: Json): ImageEntry | undefined {
  if (typeof value === "string") return { entrypoint: value.split(" ").filter((word) => word !== "") };
  if (Array.isArray(value)) return isTexts(value) ? { entrypoint: value } : undefined;
  return isJsonObject(value) ? entryOf(value) : undefined;
}

function entryOf({ entrypoint, cmd }: JsonObject): ImageEntry | undefined {
  if (entrypoint !== undefined && !isTexts(entrypoint)) return undefined;
  if (cmd !== undefined && !isTexts(cmd)) return undefined;
  return { ...(entrypoint === undefined ? {} : { entrypoint }), ...(cmd === undefined ? {} : { cmd }) };
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
