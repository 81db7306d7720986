/** Recordings that ours does not match, each with its reason: an error of Argo's own, or something open here. */

const loopHooks =
  "Argo looks hooks of a loop's items up under the item's name and fails, or runs them by chance; ours runs them once for each item, and the group's own once";
const hookLimit =
  "Argo turns the workflow to Error when a lifecycle hook meets spec.parallelism, while its pod still runs; ours waits for a place";
const neverEnds = "Argo never finishes it; ours ends with a clear result";

export const knownDifferences: Readonly<Record<string, string>> = {
  "variants/wait-killed":
    "the executor was killed: Argo waits 10 s and says `pod deleted`; ours says at once how the executor ended",
  "random/r016": hookLimit,
  "random/r184": hookLimit,
  "random/r040": "Argo looks a loop's inline template up by its name, has none, and fails `failed to get a template`",
  "random/r064": loopHooks,
  "random/r098": loopHooks,
  "random/r126": loopHooks,
  "random/r218": loopHooks,
  "random/r176":
    "Argo exports a DAG's own output (globalName) only when the DAG around it succeeds; ours when the DAG itself does",
  "random/r182":
    "Argo marks the wrapper of a retried exit handler as an attempt (nodeFlag.retried); ours only attempts",
  "examples/artifact-gc-workflow": "open: artifact garbage collection is not built yet",
  "examples/artifact-passing-explicit-plugin": "open: artifact driver plugins are not built yet",
  "hang/r096": neverEnds,
  "hang/r188": neverEnds,
  "hang/r200": neverEnds,
  "hang/r206": neverEnds,
  "hang/r210": neverEnds,
};
