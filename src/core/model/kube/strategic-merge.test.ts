import { expect, test } from "vitest";
import type { JsonObject } from "../../std/json.js";
import { podSpecSchema } from "./pod-schema.js";
import { strategicMerge } from "./strategic-merge.js";

const base: JsonObject = {
  nodeSelector: { disk: "ssd", zone: "a" },
  tolerations: [{ key: "old" }],
  volumes: [{ name: "v", emptyDir: {} }],
  containers: [
    {
      name: "main",
      image: "a",
      args: ["1", "2"],
      env: [{ name: "A", value: "1" }],
      resources: { limits: { cpu: "1" } },
    },
    { name: "side", image: "b" },
  ],
};

const [main, side] = base["containers"] as [JsonObject, JsonObject];

test.each<[string, JsonObject, JsonObject]>([
  ["nothing", {}, {}],
  [
    "a map is merged, null takes a field away",
    { nodeSelector: { zone: null, gpu: "yes" } },
    { nodeSelector: { disk: "ssd", gpu: "yes" } },
  ],
  ["a list without a merge key is replaced", { tolerations: [{ key: "new" }] }, { tolerations: [{ key: "new" }] }],
  [
    "containers and their variables are found by name, arguments are replaced",
    {
      containers: [
        {
          name: "main",
          args: ["3"],
          env: [
            { name: "B", value: "2" },
            { name: "A", value: "9" },
          ],
          resources: { limits: { memory: "1Gi" } },
        },
      ],
    },
    {
      containers: [
        {
          ...main,
          args: ["3"],
          env: [
            { name: "A", value: "9" },
            { name: "B", value: "2" },
          ],
          resources: { limits: { cpu: "1", memory: "1Gi" } },
        },
        side,
      ],
    },
  ],
  [
    "a new element comes last",
    { containers: [{ name: "new", image: "c" }] },
    { containers: [main, side, { name: "new", image: "c" }] },
  ],
  ["an element is taken away", { containers: [{ name: "side", $patch: "delete" }] }, { containers: [main] }],
  [
    "an element is replaced",
    { containers: [{ name: "main", image: "z", $patch: "replace" }] },
    { containers: [{ name: "main", image: "z" }, side] },
  ],
  ["a list is replaced", { containers: [{ $patch: "replace" }, { name: "only" }] }, { containers: [{ name: "only" }] }],
  [
    "a volume changes its source",
    { volumes: [{ $retainKeys: ["name", "secret"], name: "v", secret: { secretName: "s" } }] },
    { volumes: [{ name: "v", secret: { secretName: "s" } }] },
  ],
  [
    "directives do not stay in what is new",
    { affinity: { $patch: "replace", nodeAffinity: {} } },
    { affinity: { nodeAffinity: {} } },
  ],
  ["an order is passed over", { "$setElementOrder/containers": [{ name: "side" }] }, {}],
])("%s", (_title, patch, changed) => {
  expect(strategicMerge(podSpecSchema.node, base, patch)).toEqual({ ...base, ...changed });
});

test("a field that is no field of its own changes nothing else", () => {
  const merged = strategicMerge(podSpecSchema.node, {}, JSON.parse('{"__proto__": {"polluted": 1}}') as JsonObject);
  expect(Object.hasOwn(merged, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
