/** Go's scalar rules as a schema of the fast YAML parser. */

import yaml from "js-yaml";
import { goNumber, goWord } from "./go-scalars.js";

function scalar(tag: string, resolve: (text: string) => boolean, construct: (text: string) => unknown): yaml.Type {
  return new yaml.Type(`tag:yaml.org,2002:${tag}`, {
    kind: "scalar",
    // An empty value arrives as null, which only the null type takes.
    resolve: (data: unknown) => (typeof data === "string" ? resolve(data) : tag === "null"),
    construct: (data: unknown) => (typeof data === "string" ? construct(data) : null),
  });
}

const isInteger = (text: string): boolean => Number.isInteger(goNumber(text)) || isBigInteger(text);
const isBigInteger = (text: string): boolean => typeof goNumber(text) === "string";

/** Timestamps and binary have tags of their own, but Go hands both on as the text that was written. */
export const goSchema = new yaml.Schema({
  implicit: [
    scalar(
      "null",
      (text) => goWord(text) === null,
      () => null,
    ),
    scalar("bool", (text) => typeof goWord(text) === "boolean", goWord),
    scalar("int", isInteger, goNumber),
    scalar("float", (text) => goNumber(text) !== undefined, goNumber),
    new yaml.Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (data: unknown) => data === "<<" }),
  ],
  explicit: [
    new yaml.Type("tag:yaml.org,2002:str", { kind: "scalar", construct: (data: unknown) => data ?? "" }),
    new yaml.Type("tag:yaml.org,2002:seq", { kind: "sequence", construct: (data: unknown) => data ?? [] }),
    new yaml.Type("tag:yaml.org,2002:map", { kind: "mapping", construct: (data: unknown) => data ?? {} }),
    scalar(
      "timestamp",
      () => true,
      (text) => text,
    ),
    scalar(
      "binary",
      () => true,
      (text) => text,
    ),
  ],
});
