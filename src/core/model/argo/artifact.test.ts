import { expect, test } from "vitest";
import { type ArtifactLocation, hasLocation } from "./artifact.js";

test.each<[ArtifactLocation, boolean]>([
  [{}, false],
  [{ archiveLogs: true }, false],
  [{ raw: { data: "" } }, true],
  [{ s3: { key: "k" } }, true],
])("has a location: %j", (location, expected) => {
  expect(hasLocation(location)).toBe(expected);
});
