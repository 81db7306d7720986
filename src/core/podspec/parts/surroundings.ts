/** As whom a pod runs, with which network, security and resources, and for how long (Argo 4.1 behaviour 5.5, 3.13). */

import { type PodPart, specField } from "../context.js";

/** A step is never restarted in place: another try is another attempt, and that is for retryStrategy to allow. */
const restartPolicy = specField(
  () => "Never" as const,
  (value) => ({ restartPolicy: value }),
);

const serviceAccount = specField(
  ({ request: { template, spec } }) => nonEmpty(template.serviceAccountName) ?? nonEmpty(spec.serviceAccountName),
  (value) => ({ serviceAccountName: value }),
);

const serviceAccountToken = specField(
  ({ request: { template, spec } }) => template.automountServiceAccountToken ?? spec.automountServiceAccountToken,
  (value) => ({ automountServiceAccountToken: value }),
);

const imagePullSecrets = specField(
  ({ request: { spec } }) => spec.imagePullSecrets,
  (value) => ({ imagePullSecrets: value }),
);

const hostNetwork = specField(
  ({ request: { spec } }) => spec.hostNetwork,
  (value) => ({ hostNetwork: value }),
);

const dnsPolicy = specField(
  ({ request: { spec } }) => nonEmpty(spec.dnsPolicy),
  (value) => ({ dnsPolicy: value }),
);

const dnsConfig = specField(
  ({ request: { spec } }) => spec.dnsConfig,
  (value) => ({ dnsConfig: value }),
);

const hostAliases = specField(
  ({ request: { template, spec } }) => nonEmptyList([...(spec.hostAliases ?? []), ...(template.hostAliases ?? [])]),
  (value) => ({ hostAliases: value }),
);

const securityContext = specField(
  ({ request: { template, spec } }) => template.securityContext ?? spec.securityContext,
  (value) => ({ securityContext: value }),
);

const podResources = specField(
  ({ request: { template, spec } }) => template.podResources ?? spec.podResources,
  (value) => ({ resources: value }),
);

const resourceClaims = specField(
  ({ request: { template, spec } }) => template.resourceClaims ?? spec.resourceClaims,
  (value) => ({ resourceClaims: value }),
);

const deadline = specField(
  ({ activeDeadlineSeconds }) => activeDeadlineSeconds,
  (value) => ({ activeDeadlineSeconds: value }),
);

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function nonEmptyList<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export const surroundingParts: readonly PodPart[] = [
  restartPolicy,
  serviceAccount,
  serviceAccountToken,
  imagePullSecrets,
  hostNetwork,
  dnsPolicy,
  dnsConfig,
  hostAliases,
  securityContext,
  podResources,
  resourceClaims,
  deadline,
];
