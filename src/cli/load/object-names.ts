/** Names and labels that no API server takes: found in the file, before anything is made. */

import { fieldPath } from "../../core/model/index.js";
import type { ObjectMeta } from "../../core/model/kube/meta.js";
import type { Problem } from "../../core/std/problem.js";

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NAMESPACE_LENGTH_MAX = 63;

/** Of `metadata.name`, `generateName`, `namespace` and `labels` (Kubernetes' RFC 1123 rules). `word`: `workflow`. */
export function nameProblems({ name, generateName, namespace, labels }: ObjectMeta, word: string): readonly Problem[] {
  const isNamespace = (text: string): boolean => LABEL.test(text) && text.length <= NAMESPACE_LENGTH_MAX;
  return [
    fault("name", name, word, (text) => SUBDOMAIN.test(text)),
    // A suffix of letters and digits comes behind it.
    name === undefined || name === ""
      ? fault("generateName", generateName, word, (text) => SUBDOMAIN.test(`${text}x`))
      : [],
    fault("namespace", namespace, "namespace", isNamespace),
    Object.entries(labels ?? {}).flatMap(([key, value]) => labelFault(key, value)),
  ].flat();
}

const LABEL_PART = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const LABEL_LENGTH_MAX = 63;

function labelFault(key: string, value: string): readonly Problem[] {
  const isPart = (text: string): boolean => LABEL_PART.test(text) && text.length <= LABEL_LENGTH_MAX;
  const slash = key.indexOf("/");
  const isKey = isPart(key.slice(slash + 1)) && (slash === -1 || SUBDOMAIN.test(key.slice(0, slash)));
  if (isKey && (value === "" || isPart(value))) return [];
  const path = fieldPath("metadata.labels", key);
  const message = isKey
    ? `"${value}" cannot be the value of the label ${key}`
    : `"${key}" cannot be the name of a label`;
  const hint = `letters, digits, "-", "_" and "." inside, at most ${LABEL_LENGTH_MAX}: longer texts are for annotations`;
  return [{ code: "bad-name", severity: "error", path, message, hint }];
}

function fault(
  field: string,
  text: string | undefined,
  word: string,
  holds: (text: string) => boolean,
): readonly Problem[] {
  if (text === undefined || text === "" || holds(text)) return [];
  const better = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[-.]+/, "");
  const example = field === "generateName" ? better : better.replace(/[-.]+$/, "");
  return [
    {
      code: "bad-name",
      severity: "error",
      path: `metadata.${field}`,
      message: `"${text}" cannot be the name of a ${word}`,
      hint: `small letters, digits and "-"${holds(example) ? `: ${example}` : ""}`,
    },
  ];
}
