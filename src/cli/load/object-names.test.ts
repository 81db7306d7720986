import { expect, test } from "vitest";
import type { ObjectMeta } from "../../core/model/kube/meta.js";
import { nameProblems } from "./object-names.js";

test.each<[ObjectMeta, readonly string[]]>([
  [{ name: "ci-1.2" }, []],
  [{ generateName: "ci-" }, []],
  [{ generateName: "ci." }, []],
  [{}, []],
  [{ name: "ci", generateName: "Ignored_" }, []],
  [{ name: "My_Pipeline" }, ['metadata.name: small letters, digits and "-": my-pipeline']],
  [{ name: "_" }, ['metadata.name: small letters, digits and "-"']],
  [{ name: "ends-" }, ['metadata.name: small letters, digits and "-": ends']],
  [{ generateName: "Nightly Run-" }, ['metadata.generateName: small letters, digits and "-": nightly-run-']],
  [{ name: "x", namespace: "ml.prod" }, ['metadata.namespace: small letters, digits and "-"']],
])("%j", (metadata, expected) => {
  expect(nameProblems(metadata, "workflow").map(({ path, hint }) => `${path}: ${hint}`)).toEqual(expected);
});

test.each<[Readonly<Record<string, string>>, readonly string[]]>([
  [{ app: "", team: "Data_1.x", "corp.example/part": "a-b" }, []],
  [{ a: "b c" }, ['"b c" cannot be the value of the label a']],
  [{ a: "x".repeat(64) }, [`"${"x".repeat(64)}" cannot be the value of the label a`]],
  [{ "-a": "b" }, ['"-a" cannot be the name of a label']],
  [{ "Corp/a": "b", "c.d/": "e" }, ['"Corp/a" cannot be the name of a label', '"c.d/" cannot be the name of a label']],
])("%j", (labels, expected) => {
  expect(nameProblems({ name: "ci", labels }, "workflow").map(({ message }) => message)).toEqual(expected);
});
