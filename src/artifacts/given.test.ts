import { expect, test } from "vitest";
import { givenLocation, givenNameOf, withGivenArtifacts } from "./given.js";

const any = { template: null, name: "data" };
const own = { template: "train", name: "data" };

test.each([any, own])("%j comes back from its location", (given) => {
  expect(givenNameOf(givenLocation(given))).toEqual(given);
});

test("another location is not a given one", () => {
  expect(givenNameOf({ s3: { endpoint: "minio:9000", bucket: "-", key: "data" } })).toBeUndefined();
  expect(givenNameOf({})).toBeUndefined();
});

test("an argument that lies elsewhere is replaced: the template that takes it may call it otherwise", () => {
  const spec = { arguments: { artifacts: [{ name: "data", s3: { bucket: "b", key: "k" }, mode: 420 }] } };
  expect(withGivenArtifacts(spec, [any])).toEqual({
    arguments: { artifacts: [{ name: "data", mode: 420, ...givenLocation(any) }] },
  });
  expect(withGivenArtifacts(spec, [own])).toEqual(spec);
});

test("another place than the executor's may stand there", () => {
  const spec = { templates: [{ name: "t", inputs: { artifacts: [{ name: "data", git: { repo: "r" } }] } }] };
  expect(withGivenArtifacts(spec, [any], () => ({ raw: { data: "" } }))).toEqual({
    templates: [{ name: "t", inputs: { artifacts: [{ name: "data", raw: { data: "" } }] } }],
  });
});

test("what was given lies as given, wherever it lay, unless a step passes it", () => {
  const s3 = { bucket: "b", key: "k" };
  const spec = withGivenArtifacts(
    {
      arguments: { artifacts: [{ name: "data" }, { name: "other" }] },
      templates: [
        { name: "train", inputs: { artifacts: [{ name: "data", path: "/d" }] } },
        {
          name: "test",
          inputs: {
            artifacts: [
              { name: "data", optional: true },
              { name: "other", s3 },
            ],
          },
        },
        {
          name: "rest",
          inputs: {
            artifacts: [
              { name: "data", s3 },
              { name: "other", from: "{{x}}" },
            ],
          },
        },
        { name: "none" },
      ],
    },
    [any, own, { template: "rest", name: "other" }],
  );
  expect(spec).toEqual({
    arguments: { artifacts: [{ name: "data", ...givenLocation(any) }, { name: "other" }] },
    templates: [
      { name: "train", inputs: { artifacts: [{ name: "data", path: "/d", ...givenLocation(own) }] } },
      {
        name: "test",
        inputs: {
          artifacts: [
            { name: "data", optional: true, ...givenLocation(any) },
            { name: "other", s3 },
          ],
        },
      },
      {
        name: "rest",
        inputs: {
          artifacts: [
            { name: "data", ...givenLocation(any) },
            { name: "other", from: "{{x}}" },
          ],
        },
      },
      { name: "none" },
    ],
  });
});

test("nothing given, nothing changed", () => {
  const spec = { templates: [{ name: "t", inputs: { artifacts: [{ name: "data" }] } }] };
  expect(withGivenArtifacts(spec, [])).toBe(spec);
});
