import { expect, test } from "vitest";
import { missingFlag } from "./missing-flag.js";

test.each([
  ['secret "db-42" not found', "--secret db-42=.env"],
  ['configmap "app" not found', "--configmap app=DIR"],
  ['persistentvolumeclaim "cache" not found', "--with FILE"],
  ["couldn't find key url in Secret ml/db", "--secret db/url=VALUE"],
  ["couldn't find key a.b in ConfigMap default/app", "--configmap app/a.b=VALUE"],
  ['MountVolume.SetUp failed for volume "s" : secret "db" not found', "--secret db=DIR"],
  ['MountVolume.SetUp failed for volume "c" : configmap "app" not found', "--configmap app=DIR"],
  ["references non-existent config key: x", ""],
])("%s: %s", (note, flag) => {
  expect(missingFlag(note)).toBe(flag);
});
