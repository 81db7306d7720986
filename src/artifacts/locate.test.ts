import fc from "fast-check";
import { expect, test } from "vitest";
import type { Artifact, ArtifactLocation } from "../core/model/argo/artifact.js";
import { completeLocation, keyOf, keyOnly, mappedPath, safeKey, uriOf } from "./locate.js";

test.each<readonly [location: ArtifactLocation, path: string, uri: string]>([
  [{ s3: { bucket: "b", key: "a/b.tgz" } }, "s3/b/a/b.tgz", "s3://b/a/b.tgz"],
  [{ s3: { key: "a" } }, "s3/default/a", "s3:///a"],
  [{ gcs: { bucket: "b", key: "/a//b/./c/" } }, "gcs/b/a/b/c", "gs://b/a//b/./c/"],
  [{ oss: { bucket: "b", key: "a" } }, "oss/b/a", "oss://b/a"],
  [{ azure: { container: "c", blob: "d/e" } }, "azure/c/d/e", "azure://c/d/e"],
  [{ hdfs: { addresses: ["n:9000"], path: "/user/x" } }, "hdfs/n%3A9000/user/x", "hdfs://n:9000/user/x"],
  [{ artifactory: { url: "https://h:1/r/a%20b" } }, "artifactory/h%3A1/r/a b", "https://h:1/r/a%20b"],
  [{ s3: { bucket: "a/../../b", key: "k" } }, "s3/a%2F..%2F..%2Fb/k", "s3://a/../../b/k"],
])("%j is mapped to %s", (location, path, uri) => {
  expect(mappedPath(location)).toEqual({ ok: true, value: path });
  expect(uriOf(location)).toBe(uri);
});

test.each<ArtifactLocation>([
  { s3: { bucket: "b", key: "../x" } },
  { s3: { bucket: "b", key: "a/../../x" } },
  { s3: { bucket: "b", key: "" } },
  { s3: { bucket: "b", key: "a\0b" } },
  { s3: { bucket: "..", key: "x" } },
  { s3: { bucket: ".", key: "x" } },
  { artifactory: { url: "https://h/a/%2e%2e/%2e%2e%2fx" } },
  {},
])("%j is refused", (location) => {
  expect(mappedPath(location).ok).toBe(false);
});

test("whatever the bucket and the key, the path stays below its driver's folder", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string({ unit: fc.constantFrom(".", "/", "a", "\\", "%", "\0", "é") }),
      (bucket, key) => {
        const path = mappedPath({ s3: { bucket, key } });
        if (!path.ok) return;
        const parts = path.value.split("/");
        expect(parts[0]).toBe("s3");
        expect(parts.length).toBeGreaterThanOrEqual(3);
        for (const part of parts) expect(["", ".", ".."]).not.toContain(part);
      },
    ),
  );
});

test("safeKey is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(".", "/", "a") }), (key) => {
      const once = safeKey(key);
      if (once.ok) expect(safeKey(once.value)).toEqual(once);
    }),
  );
});

const defaults: ArtifactLocation = { s3: { endpoint: "e", bucket: "b", key: "base" } };

test.each<readonly [what: string, artifact: Artifact, whole: Artifact]>([
  ["a key alone", { name: "a", s3: { key: "k" } }, { name: "a", s3: { endpoint: "e", bucket: "b", key: "k" } }],
  ["a whole one", { name: "a", s3: { bucket: "own", key: "k" } }, { name: "a", s3: { bucket: "own", key: "k" } }],
  [
    "another driver's key",
    { name: "a", gcs: { key: "k" } },
    { name: "a", s3: { endpoint: "e", bucket: "b", key: "k" } },
  ],
  ["raw data", { name: "a", raw: { data: "x" } }, { name: "a", raw: { data: "x" } }],
  ["none", { name: "a" }, { name: "a" }],
])("completing %s", (_what, artifact, whole) => {
  expect(completeLocation(artifact, defaults)).toEqual(whole);
});

test.each<readonly [defaults: ArtifactLocation, shown: ArtifactLocation, key: string]>([
  [{ s3: { bucket: "b", key: "x" } }, { s3: { key: "k/f" } }, "k/f"],
  [{ gcs: { bucket: "b", key: "x" } }, { gcs: { key: "k/f" } }, "k/f"],
  [{ azure: { container: "b", blob: "x" } }, { azure: { blob: "k/f" } }, "k/f"],
  [{ hdfs: { addresses: ["h"], path: "x" } }, { hdfs: { path: "k/f" } }, "k/f"],
  [{ artifactory: { url: "https://h/r/x" } }, { artifactory: { url: "https://h/k/f" } }, "k/f"],
])("of %j outputs show only the key, and completing gives it back", (location, shown, key) => {
  expect(keyOnly(location, key)).toEqual(shown);
  const whole = completeLocation({ name: "a", ...shown }, location);
  expect(keyOf(whole)).toBe(key);
  expect(mappedPath(whole)).toEqual(mappedPath({ ...location, ...keyOnlyInto(location, key) }));
});

/** The same location with another key, spelled out. */
function keyOnlyInto({ s3, gcs, azure, hdfs, artifactory }: ArtifactLocation, key: string): ArtifactLocation {
  if (s3 !== undefined) return { s3: { ...s3, key } };
  if (gcs !== undefined) return { gcs: { ...gcs, key } };
  if (azure !== undefined) return { azure: { ...azure, blob: key } };
  if (hdfs !== undefined) return { hdfs: { ...hdfs, path: key } };
  return artifactory === undefined ? {} : { artifactory: { url: `https://h/${key}` } };
}
