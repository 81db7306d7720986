/** Schemas of the two security contexts. */

import { boolean, integer, list, part, required, text } from "../codec/schema.js";

const seLinuxOptions = part({ user: text, role: text, type: text, level: text });
const windowsOptions = part({
  gmsaCredentialSpecName: text,
  gmsaCredentialSpec: text,
  runAsUserName: text,
  hostProcess: boolean,
});
const profile = part({ type: required(text), localhostProfile: text });

const shared = {
  seLinuxOptions,
  windowsOptions,
  runAsUser: integer,
  runAsGroup: integer,
  runAsNonRoot: boolean,
  seccompProfile: profile,
  appArmorProfile: profile,
};

/** A container's. */
export const securityContextSchema = part({
  ...shared,
  capabilities: part({ add: list(text), drop: list(text) }),
  privileged: boolean,
  readOnlyRootFilesystem: boolean,
  allowPrivilegeEscalation: boolean,
  procMount: text,
});

export const podSecurityContextSchema = part({
  ...shared,
  supplementalGroups: list(integer),
  supplementalGroupsPolicy: text,
  fsGroup: integer,
  fsGroupChangePolicy: text,
  seLinuxChangePolicy: text,
  sysctls: list(part({ name: required(text), value: required(text) })),
});
