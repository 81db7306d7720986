/** Schemas of a volume and its many sources. */

import type { JsonObject } from "../../std/json.js";
import {
  boolean,
  type Fields,
  integer,
  list,
  map,
  object,
  part,
  quantity,
  required,
  type Schema,
  text,
} from "../codec/schema.js";
import { persistentVolumeClaimSpecSchema } from "./claim-schema.js";
import { fieldRefSchema, localObjectReferenceSchema, resourceFieldRefSchema } from "./container-schema.js";
import { labelSelectorSchema, objectMetaSchema } from "./meta-schema.js";
import type { ConfigMapVolume, KeyToPath, OtherVolumeSource, SecretVolume, Volume } from "./pod.js";

const keyToPath = object<KeyToPath>()({ key: required(text), path: required(text), mode: integer });

const downwardItems = list(
  part({
    path: required(text),
    fieldRef: fieldRefSchema,
    resourceFieldRef: resourceFieldRefSchema,
    mode: integer,
  }),
);

const namedItems = part({ name: text, items: list(keyToPath), optional: boolean });

const projected = part({
  defaultMode: integer,
  sources: list(
    part({
      secret: namedItems,
      configMap: namedItems,
      downwardAPI: part({ items: downwardItems }),
      serviceAccountToken: part({ audience: text, expirationSeconds: integer, path: required(text) }),
      clusterTrustBundle: part({
        name: text,
        signerName: text,
        labelSelector: labelSelectorSchema,
        optional: boolean,
        path: required(text),
      }),
      podCertificate: part({
        signerName: text,
        keyType: text,
        maxExpirationSeconds: integer,
        credentialBundlePath: text,
        keyPath: text,
        certificateChainPath: text,
        userAnnotations: map(text),
      }),
    }),
  ),
});

const fsType = text;
const readOnly = boolean;
const secretRef = localObjectReferenceSchema;

const diskSources = {
  awsElasticBlockStore: part({ volumeID: required(text), fsType, partition: integer, readOnly }),
  azureDisk: part({
    diskName: required(text),
    diskURI: required(text),
    cachingMode: text,
    fsType,
    readOnly,
    kind: text,
  }),
  cinder: part({ volumeID: required(text), fsType, readOnly, secretRef }),
  fc: part({ targetWWNs: list(text), lun: integer, fsType, readOnly, wwids: list(text) }),
  gcePersistentDisk: part({ pdName: required(text), fsType, partition: integer, readOnly }),
  iscsi: part({
    targetPortal: required(text),
    iqn: required(text),
    lun: required(integer),
    iscsiInterface: text,
    fsType,
    readOnly,
    portals: list(text),
    chapAuthDiscovery: boolean,
    chapAuthSession: boolean,
    secretRef,
    initiatorName: text,
  }),
  photonPersistentDisk: part({ pdID: required(text), fsType }),
  portworxVolume: part({ volumeID: required(text), fsType, readOnly }),
  scaleIO: part({
    gateway: required(text),
    system: required(text),
    secretRef: required(secretRef),
    sslEnabled: boolean,
    protectionDomain: text,
    storagePool: text,
    storageMode: text,
    volumeName: text,
    fsType,
    readOnly,
  }),
  storageos: part({ volumeName: text, volumeNamespace: text, fsType, readOnly, secretRef }),
  vsphereVolume: part({ volumePath: required(text), fsType, storagePolicyName: text, storagePolicyID: text }),
};

const fileSources = {
  azureFile: part({ secretName: required(text), shareName: required(text), readOnly }),
  cephfs: part({ monitors: required(list(text)), path: text, user: text, secretFile: text, secretRef, readOnly }),
  csi: part({
    driver: required(text),
    readOnly,
    fsType,
    volumeAttributes: map(text),
    nodePublishSecretRef: secretRef,
  }),
  ephemeral: part({
    volumeClaimTemplate: part({ metadata: objectMetaSchema, spec: required(persistentVolumeClaimSpecSchema) }),
  }),
  flexVolume: part({ driver: required(text), fsType, secretRef, readOnly, options: map(text) }),
  flocker: part({ datasetName: text, datasetUUID: text }),
  gitRepo: part({ repository: required(text), revision: text, directory: text }),
  glusterfs: part({ endpoints: required(text), path: required(text), readOnly }),
  image: part({ reference: text, pullPolicy: text }),
  nfs: part({ server: required(text), path: required(text), readOnly }),
  quobyte: part({ registry: required(text), volume: required(text), readOnly, user: text, group: text, tenant: text }),
  rbd: part({
    monitors: required(list(text)),
    image: required(text),
    fsType,
    pool: text,
    user: text,
    keyring: text,
    secretRef,
    readOnly,
  }),
};

const otherSources: Readonly<Record<OtherVolumeSource, Schema<JsonObject>>> = { ...diskSources, ...fileSources };

const volumeFields: Fields<Volume> = {
  name: required(text),
  emptyDir: object<NonNullable<Volume["emptyDir"]>>()({ medium: text, sizeLimit: quantity }),
  configMap: object<ConfigMapVolume>()({ name: text, items: list(keyToPath), defaultMode: integer, optional: boolean }),
  secret: object<SecretVolume>()({ secretName: text, items: list(keyToPath), defaultMode: integer, optional: boolean }),
  hostPath: object<NonNullable<Volume["hostPath"]>>()({ path: required(text), type: text }),
  persistentVolumeClaim: object<NonNullable<Volume["persistentVolumeClaim"]>>()({
    claimName: required(text),
    readOnly: boolean,
  }),
  downwardAPI: part({ items: downwardItems, defaultMode: integer }),
  projected,
  ...otherSources,
};

export const volumeSchema = object<Volume>()(volumeFields);
