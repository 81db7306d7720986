/** Names of objects: which are allowed, and how one is made from generateName. */

import type { ResourceType } from "../../../core/model/resources.js";
import type { Chance } from "../../../kube/clock.js";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** No vowels, no digits that look like letters: Kubernetes' own alphabet, so that no word comes out. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const generatedLengthMax = 63;

/** Why `name` cannot name an object of `type`; undefined when it can. */
export function nameFault(type: Pick<ResourceType, "group" | "plural">, name: string): string | undefined {
  if (type.group === "" && type.plural === "namespaces") return labelFault(name);
  if (name.length > 253) return "must be no more than 253 characters";
  return subdomain.test(name) ? undefined : subdomainText;
}

/** Why `name` cannot name a namespace; undefined when it can. */
export function labelFault(name: string): string | undefined {
  if (name.length > 63) return "must be no more than 63 characters";
  return label.test(name) ? undefined : labelText;
}

/** `base` and five random characters, at most 63 in all. */
export function generatedName(base: string, chance: Chance): string {
  let name = base.slice(0, generatedLengthMax - suffixLength);
  for (let index = 0; index < suffixLength; index++) {
    name += alphabet.charAt(Math.floor(chance.next() * alphabet.length));
  }
  return name;
}
