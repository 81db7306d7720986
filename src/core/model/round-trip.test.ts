import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../std/json.js";
import { resolveNode, type SchemaNode } from "./codec/schema.js";
import { knownKinds, schemas, typesByKind } from "./kinds.js";
import { printJson } from "./print/json.js";
import { printYaml } from "./print/yaml.js";
import { decodeResource, encodeResource } from "./resource.js";
import { apiVersionOf } from "./resources.js";
import { readDocuments } from "./source/read.js";

const word = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    "yes",
    "0777",
    "{{inputs.parameters.x}}",
    "a\nb\n",
    "1e3",
    "~",
    "- x",
    "é😀",
    "__proto__",
    "constructor",
  ),
);

/** Any value that a schema takes, in its normal form; below `depth` only what must be there. */
function valueOfSchema(node: SchemaNode, depth: number): fc.Arbitrary<Json> {
  const resolved = resolveNode(node);
  switch (resolved.kind) {
    case "text":
    case "any-text":
    case "duration-or-seconds":
      return word;
    case "choice":
      return fc.constantFrom(...resolved.values);
    case "integer":
      return fc.integer({ min: Math.max(resolved.min ?? -99, -99), max: Math.min(resolved.max ?? 99, 99) });
    case "number":
      return fc.integer();
    case "boolean":
      return fc.boolean();
    case "integer-or-text":
      return fc.oneof(fc.integer(), word);
    case "quantity":
      return fc.constantFrom(1, "500m", "1.5Gi", "-1e3");
    case "json":
      return depth > 0 ? fc.oneof(word, fc.integer(), fc.constant(null), fc.array(word)) : word;
    case "open-object":
      return fc.dictionary(word, word, { maxKeys: 2 });
    case "list":
      return depth > 0 ? fc.array(valueOfSchema(resolved.item, depth - 1), { maxLength: 2 }) : fc.constant([]);
    case "map":
      return depth > 0
        ? fc.dictionary(word, valueOfSchema(resolved.value, depth - 1), { maxKeys: 2 })
        : fc.constant({});
    case "object":
      return objectOfSchema(resolved, depth);
  }
}

function objectOfSchema(node: Extract<SchemaNode, { readonly kind: "object" }>, depth: number): fc.Arbitrary<Json> {
  const fields = [...node.fields].filter(([, field]) => depth > 0 || field.presence !== "optional");
  const names = fields.map(([name]) => name);
  return fc.subarray(names, { maxLength: Math.min(6, names.length) }).chain((chosen) => {
    const kept = fields.filter(([name, field]) => field.presence !== "optional" || chosen.includes(name));
    return fc.record(Object.fromEntries(kept.map(([name, field]) => [name, valueOfSchema(field.node, depth - 1)])));
  });
}

test.each(knownKinds)("any %s means the same printed and read again", (kind) => {
  fc.assert(
    fc.property(valueOfSchema(schemas[kind].node, 7), fc.constantFrom(printYaml, printJson), (value, print) => {
      const resource = { ...Object(value), apiVersion: apiVersionOf(typesByKind[kind]), kind };
      const decoded = decodeResource(resource);
      expect(decoded.problems).toEqual([]);
      expect(decoded.value).toEqual(resource);
      if (decoded.value === undefined) throw new Error("no value");
      const { documents, problems } = readDocuments(print(encodeResource(decoded.value)), "printed");
      expect(problems).toEqual([]);
      const again = documents.map((document) => decodeResource(document));
      expect(again).toEqual([{ value: resource, problems: [], unread: [] }]);
    }),
    { numRuns: 150 },
  );
});
