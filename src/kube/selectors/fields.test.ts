import { expect, test } from "vitest";
import { fieldValueOf, matchesFields, parseFieldSelector } from "../selectors.js";

const pod = {
  metadata: { name: "p,1", namespace: "ns" },
  spec: { nodeName: "", hostNetwork: false },
  status: { phase: "Running" },
};

test.each([
  ["", true],
  ["status.phase=Running", true],
  ["status.phase==Running", true],
  ["status.phase!=Running", false],
  ["metadata.name=p\\,1,metadata.namespace=ns", true],
  ["spec.nodeName=", true],
  ["status.missing=", true],
  ["status.missing!=x", true],
  ["spec.hostNetwork=false", true],
  ["toString=", true],
])("%j matches: %j", (text, expected) => {
  const parsed = parseFieldSelector(text);
  if (!parsed.ok) throw new Error(parsed.error);
  expect(matchesFields(parsed.value, (field) => fieldValueOf(pod, field))).toBe(expected);
});

test.each([
  ["status.phase", "invalid selector: 'status.phase'; can't understand 'status.phase'"],
  ["a=b=c", "invalid field selector: unescaped character in value: ="],
  ["a=b\\c", "invalid field selector: invalid escape sequence: \\c"],
])("%j is refused", (text, expected) => {
  expect(parseFieldSelector(text)).toEqual({ ok: false, error: expected });
});
