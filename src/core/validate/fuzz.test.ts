import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { resolveNode, type SchemaNode } from "../model/codec/schema.js";
import { decodeResource, type KnownKind, schemas } from "../model/index.js";
import type { Json } from "../std/json.js";
import { validateResource } from "./index.js";
import { factsOf } from "./testing/cases.js";

vi.setConfig({ testTimeout: 60_000 });

/** Few names, so that they meet; tags and expressions, also broken ones. */
const word = fc.constantFrom(
  "a",
  "b",
  "main",
  "",
  "{{inputs.parameters.a}}",
  "{{steps.a.outputs.result}}",
  "{{tasks.b.status}}",
  "{{=tasks.a.outputs.parameters.b + item}}",
  "{{=(}}",
  "{{a{{b}}.{{c}}",
  "{{workflow.outputs.parameters.a}}",
  "a && b.Failed",
  "a == b",
  "1h",
  "__proto__",
  "constructor",
);

/** Any value that a schema takes; below `depth` only what must be there. */
function valueOfSchema(node: SchemaNode, depth: number): fc.Arbitrary<Json> {
  const resolved = resolveNode(node);
  switch (resolved.kind) {
    case "choice":
      return fc.constantFrom(...resolved.values);
    case "integer":
    case "number":
      return fc.integer({ min: 1, max: 3 });
    case "boolean":
      return fc.boolean();
    case "integer-or-text":
    case "json":
      return fc.oneof(fc.integer({ min: 0, max: 3 }), word);
    case "quantity":
      return fc.constant("1");
    case "open-object":
      return fc.dictionary(word, word, { maxKeys: 2 });
    case "list":
      return depth > 0 ? fc.array(valueOfSchema(resolved.item, depth - 1), { maxLength: 3 }) : fc.constant([]);
    case "map":
      return depth > 0
        ? fc.dictionary(word, valueOfSchema(resolved.value, depth - 1), { maxKeys: 2 })
        : fc.constant({});
    case "object":
      return objectOfSchema(resolved, depth);
    default:
      return word;
  }
}

/** What validation reads is there more often than the rest. */
const LIKED = new Set([
  "spec",
  "workflowSpec",
  "entrypoint",
  "templates",
  "name",
  "template",
  "steps",
  "dag",
  "tasks",
  "inline",
  "inputs",
  "outputs",
  "arguments",
  "parameters",
]);

function objectOfSchema(node: Extract<SchemaNode, { readonly kind: "object" }>, depth: number): fc.Arbitrary<Json> {
  const fields = [...node.fields].filter(([, field]) => depth > 0 || field.presence !== "optional");
  const names = fields.map(([name]) => name);
  const liked = names.filter((name) => LIKED.has(name));
  const pick = fc.tuple(fc.subarray(names, { maxLength: Math.min(4, names.length) }), fc.subarray(liked));
  return pick.chain(([some, more]) => {
    const kept = fields.filter(
      ([name, field]) => field.presence !== "optional" || some.includes(name) || more.includes(name),
    );
    return fc.record(Object.fromEntries(kept.map(([name, field]) => [name, valueOfSchema(field.node, depth - 1)])));
  });
}

const kinds = [
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
] as const satisfies KnownKind[];

test.each(kinds)("any %s is answered, twice alike, with paths and texts", (kind) => {
  const library = fc.sample(valueOfSchema(schemas.WorkflowTemplate.node, 8), { numRuns: 1, seed: 1 });
  const facts = factsOf(
    library.flatMap((value) => {
      const resource = { ...Object(value), apiVersion: "argoproj.io/v1alpha1", kind: "WorkflowTemplate" };
      const decoded = decodeResource({ ...resource, metadata: { name: "a" } }).value;
      return decoded === undefined ? [] : [decoded];
    }),
  );
  fc.assert(
    fc.property(valueOfSchema(schemas[kind].node, 11), (value) => {
      const { value: resource } = decodeResource({ ...Object(value), apiVersion: "argoproj.io/v1alpha1", kind });
      if (resource === undefined) throw new Error("no value");
      const answer = validateResource(resource, { facts });
      expect(validateResource(resource, { facts })).toEqual(answer);
      for (const problem of answer.problems) expect(problem.message).not.toBe("");
      expect(answer.problems.find(({ argo }) => argo !== undefined)?.argo).toBe(answer.argoError);
    }),
    { numRuns: 200 },
  );
});
