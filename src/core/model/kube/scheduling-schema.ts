/** Schemas of where a pod may run: affinity, tolerations, spreading, device claims, disruption. */

import { integer, intOrString, list, part, required, text } from "../codec/schema.js";
import { labelSelectorSchema } from "./meta-schema.js";

const nodeSelectorRequirement = part({ key: required(text), operator: required(text), values: list(text) });
const nodeSelectorTerm = part({
  matchExpressions: list(nodeSelectorRequirement),
  matchFields: list(nodeSelectorRequirement),
});
const podAffinityTerm = part({
  labelSelector: labelSelectorSchema,
  namespaces: list(text),
  topologyKey: required(text),
  namespaceSelector: labelSelectorSchema,
  matchLabelKeys: list(text),
  mismatchLabelKeys: list(text),
});
const podAffinity = part({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    part({ weight: required(integer), podAffinityTerm: required(podAffinityTerm) }),
  ),
});

export const affinitySchema = part({
  nodeAffinity: part({
    requiredDuringSchedulingIgnoredDuringExecution: part({ nodeSelectorTerms: required(list(nodeSelectorTerm)) }),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      part({ weight: required(integer), preference: required(nodeSelectorTerm) }),
    ),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

export const tolerationSchema = part({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: integer,
});

export const topologySpreadConstraintSchema = part({
  maxSkew: required(integer),
  topologyKey: required(text),
  whenUnsatisfiable: required(text),
  labelSelector: labelSelectorSchema,
  minDomains: integer,
  nodeAffinityPolicy: text,
  nodeTaintsPolicy: text,
  matchLabelKeys: list(text),
});

export const podResourceClaimSchema = part({
  name: required(text),
  resourceClaimName: text,
  resourceClaimTemplateName: text,
});

export const podDisruptionBudgetSpecSchema = part({
  minAvailable: intOrString,
  selector: labelSelectorSchema,
  maxUnavailable: intOrString,
  unhealthyPodEvictionPolicy: text,
});

export const dnsConfigSchema = part({
  nameservers: list(text),
  searches: list(text),
  options: list(part({ name: text, value: text })),
});
