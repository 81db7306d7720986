import { expect, test } from "vitest";
import { givenLocation } from "../../artifacts/given.js";
import { givenName, unusedGiven, withGiven } from "./given-artifacts.js";
import { loadResources } from "./resources.js";

const text = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 2 * * *"]
  workflowSpec:
    entrypoint: train
    arguments: {artifacts: [{name: raw}]}
    templates:
    - name: train
      inputs: {artifacts: [{name: data, path: /data}]}
      container: {image: busybox}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
`;
const { resources } = loadResources([{ file: "f.yaml", text, origin: "file" }], { toRun: true, manner: "strict" });

test.each([
  ["data=day.csv", { template: null, name: "data" }],
  ["train.data=a=b", { template: "train", name: "data" }],
])("%s", (word, expected) => {
  expect(givenName(word)).toEqual(expected);
});

test("in every kind that holds a workflow, inputs and arguments are given their place", () => {
  const given = [givenName("train.data=x"), givenName("raw=x")];
  const [cron, settings] = withGiven(resources, given).map(({ resource }) => resource);
  expect(cron).toMatchObject({
    spec: {
      workflowSpec: {
        arguments: { artifacts: [{ name: "raw", ...givenLocation({ template: null, name: "raw" }) }] },
        templates: [
          { inputs: { artifacts: [{ name: "data", ...givenLocation({ template: "train", name: "data" }) }] } },
        ],
      },
    },
  });
  expect(settings).toEqual(resources[1]?.resource);
});

test("what nothing takes is told, with what was meant", () => {
  const given = ["data=x", "train.data=x", "raw=x", "trian.data=x", "else=x"].map(givenName);
  expect(unusedGiven(resources, given).map(({ message, hint }) => `${message} | ${hint}`)).toEqual([
    '--artifact trian.data: nothing takes it | did you mean "train.data"?',
    "--artifact else: nothing takes it | undefined",
  ]);
});
