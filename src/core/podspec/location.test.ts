import { describe, expect, test } from "vitest";
import type { ArtifactLocation, ArtifactRepository } from "../model/argo/artifact.js";
import type { Template } from "../model/argo/template.js";
import { archiveLocationOf } from "./location.js";

const key = "{{workflow.name}}/{{pod.name}}";
const out: Template = { outputs: { artifacts: [{ name: "a", path: "/a" }] } };

describe("where outputs and logs go", () => {
  const s3: ArtifactRepository = { s3: { bucket: "b", endpoint: "e" } };
  const rows: readonly [
    string,
    Template,
    ArtifactRepository | undefined,
    boolean | undefined,
    ArtifactLocation | undefined,
  ][] = [
    ["nothing to put away", {}, s3, undefined, undefined],
    [
      "an artifact without a location",
      out,
      s3,
      undefined,
      { archiveLogs: false, s3: { bucket: "b", endpoint: "e", key } },
    ],
    [
      "a key format",
      out,
      { s3: { bucket: "b", keyFormat: "k/{{pod.name}}" } },
      undefined,
      { archiveLogs: false, s3: { bucket: "b", key: "k/{{pod.name}}" } },
    ],
    [
      "an old prefix",
      out,
      { s3: { bucket: "b", keyPrefix: "p" } },
      undefined,
      { archiveLogs: false, s3: { bucket: "b", key: `p/${key}` } },
    ],
    [
      "a key alone takes the rest",
      { inputs: { artifacts: [{ name: "a", path: "/a", s3: { key: "x" } }] } },
      s3,
      undefined,
      { archiveLogs: false, s3: { bucket: "b", endpoint: "e", key } },
    ],
    [
      "each artifact says where",
      { outputs: { artifacts: [{ name: "a", s3: { bucket: "o", key: "x" } }] } },
      s3,
      undefined,
      undefined,
    ],
    [
      "logs, by the repository",
      {},
      { ...s3, archiveLogs: true },
      false,
      { archiveLogs: true, s3: { bucket: "b", endpoint: "e", key } },
    ],
    ["logs, by the workflow", {}, s3, true, { archiveLogs: true, s3: { bucket: "b", endpoint: "e", key } }],
    ["the template overrides the workflow", { archiveLocation: { archiveLogs: false } }, s3, true, undefined],
    [
      "its own place",
      { ...out, archiveLocation: { gcs: { bucket: "g", key: "k" } } },
      s3,
      undefined,
      { archiveLogs: false, gcs: { bucket: "g", key: "k" } },
    ],
    ["no repository", out, undefined, undefined, undefined],
    ["gcs", out, { gcs: { bucket: "g" } }, undefined, { archiveLogs: false, gcs: { bucket: "g", key } }],
    [
      "azure",
      out,
      { azure: { container: "c" } },
      undefined,
      { archiveLogs: false, azure: { container: "c", blob: key } },
    ],
    ["oss", out, { oss: { bucket: "o" } }, undefined, { archiveLogs: false, oss: { bucket: "o", key } }],
    [
      "artifactory",
      out,
      { artifactory: { repoURL: "http://r" } },
      undefined,
      { archiveLogs: false, artifactory: { url: `http://r/${key}` } },
    ],
    [
      "hdfs",
      out,
      { hdfs: { addresses: ["h"] } },
      undefined,
      { archiveLogs: false, hdfs: { addresses: ["h"], path: key } },
    ],
    ["plugin", out, { plugin: { name: "p" } }, undefined, { archiveLogs: false, plugin: { name: "p", key } }],
  ];
  test.each(rows)("%s", (_name, template, repository, archiveLogs, expected) => {
    expect(archiveLocationOf({ template, repository, archiveLogs })).toEqual(expected);
  });
});
