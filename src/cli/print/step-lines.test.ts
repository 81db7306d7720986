import { expect, test } from "vitest";
import { StepLabels, WHOLE_LABEL } from "./step-lines.js";
import { plainStyle } from "./style.js";

const labels = ["unit", "build", "train(0:lr:0.1,seed:1,steps:1000)", "unit"];

test.each([
  [undefined, ["unit │ ", "build │ ", "train(0:lr:0.1,seed:1,s… │ ", "unit                     │ "]],
  [WHOLE_LABEL, ["unit │ ", "build │ ", "train(0:lr:0.1,seed:1,steps:1000) │ ", "unit                     │ "]],
])("labels cut at %s columns", (max, expected) => {
  const steps = max === undefined ? new StepLabels(plainStyle) : new StepLabels(plainStyle, max);
  expect(labels.map((label) => steps.prefix(label))).toEqual(expected);
});
