/** Names that no API server takes: found in the file, before anything is made. */

import type { ObjectMeta } from "../../core/model/kube/meta.js";
import type { Problem } from "../../core/std/problem.js";

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NAMESPACE_LENGTH_MAX = 63;

/** Of `metadata.name`, `generateName` and `namespace` (Kubernetes' RFC 1123 rules). `word`: `workflow`. */
export function nameProblems({ name, generateName, namespace }: ObjectMeta, word: string): readonly Problem[] {
  const isNamespace = (text: string): boolean => LABEL.test(text) && text.length <= NAMESPACE_LENGTH_MAX;
  return [
    fault("name", name, word, (text) => SUBDOMAIN.test(text)),
    // A suffix of letters and digits comes behind it.
    name === undefined || name === ""
      ? fault("generateName", generateName, word, (text) => SUBDOMAIN.test(`${text}x`))
      : [],
    fault("namespace", namespace, "namespace", isNamespace),
  ].flat();
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
