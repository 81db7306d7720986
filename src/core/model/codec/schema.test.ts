import { expect, test } from "vitest";
import { boolean, choice, type Fields, list, object, orZero, required, resolveNode, text } from "./schema.js";

interface Sample {
  readonly name: string;
  readonly note?: string;
  readonly mode?: "a" | "b";
  readonly items: readonly string[];
}

const whole: Fields<Sample> = { name: required(text), note: text, mode: choice("a", "b"), items: orZero(list(text)) };

test("a schema has a field for each of its interface, in the order written", () => {
  const node = resolveNode(object<Sample>()(whole).node);
  expect(node.kind === "object" ? [...node.fields.keys()] : []).toEqual(["name", "note", "mode", "items"]);
});

test("schema and interface that differ do not compile", () => {
  const { note: _, ...lacking } = whole;
  // @ts-expect-error A field of the interface is missing.
  object<Sample>()(lacking);
  // @ts-expect-error A field that the interface does not have.
  object<Sample>()({ ...whole, other: text });
  // @ts-expect-error A field of another type.
  object<Sample>()({ ...whole, note: boolean });
  // @ts-expect-error A choice that the interface does not have.
  object<Sample>()({ ...whole, mode: choice("a", "b", "c") });
  // @ts-expect-error A choice of the interface that is left out.
  object<Sample>()({ ...whole, mode: choice("a") });
  // @ts-expect-error A field that the interface always has may not be optional.
  object<Sample>()({ ...whole, name: text });
  expect(Object.keys(lacking)).toEqual(["name", "mode", "items"]);
});
