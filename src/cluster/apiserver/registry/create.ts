/** POST: a new object. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { apiVersionOf, events, namespaces, type ResourceType } from "../../../core/model/resources.js";
import { plain } from "../../../core/std/plain.js";
import { rfc3339OfMs } from "../../../core/std/time.js";
import type { WriteOptions } from "../../../kube/client.js";
import { isAlreadyExists } from "../../../kube/errors.js";
import { typeName } from "../../../kube/key.js";
import { headOf } from "../storage/collection.js";
import type { StoredObject } from "../storage/stored-object.js";
import { commit, type Intent, type Target } from "./commit.js";
import { pathOf, type RegistryContext } from "./context.js";
import { type Draft, draftOf, storedAs } from "./draft.js";
import { isDeleting, withField } from "./fields.js";
import { isKubeObject } from "./json-copy.js";
import { createdMetadata, metadataFaults } from "./metadata.js";
import { generatedName, nameFault } from "./names.js";
import { alreadyExists, badRequest, forbidden, invalid, notFound } from "./refusals.js";
import { hasGeneration, strategyOf } from "./strategy-table.js";

/** Names tried for one generateName before AlreadyExists is told. */
const generatedNamesMax = 8;

/** The new object. Rejects with ApiError as Kubernetes' POST does. */
export async function create(
  context: RegistryContext,
  type: ResourceType,
  input: unknown,
  options: WriteOptions = {},
): Promise<StoredObject> {
  const given = draftOf(withTypeOf(type, input), undefined, context.ledger.rowFieldOf(typeName(type)));
  const namespace = namespaceOf(type, given.bare);
  if (given.bare.metadata.resourceVersion !== undefined && given.bare.metadata.resourceVersion !== "") {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  if (!comesWithOthers(type, given.bare)) await findNamespace(context, namespace);
  const { name, generateName } = given.bare.metadata;
  if (isText(name)) return createAs(context, { type, namespace, name }, given, options);
  if (!isText(generateName)) {
    throw invalid(type, "", ["metadata.name: Required value: name or generateName is required"]);
  }
  for (let attempt = 1; ; attempt++) {
    const target = { type, namespace, name: generatedName(generateName, context.chance) };
    try {
      return await createAs(context, target, given, options);
    } catch (error) {
      if (!isAlreadyExists(error) || attempt === generatedNamesMax) throw error;
    }
  }
}

async function createAs(context: RegistryContext, target: Target, given: Draft, options: WriteOptions) {
  const draft = newObject(context, target, given);
  check(context, target, draft);
  const decide = (head: StoredObject | undefined): Intent => {
    if (head !== undefined) throw alreadyExists(target.type, target.name);
    checkNamespace(context, target);
    return options.dryRun === true ? { kind: "nothing" } : { kind: "put", draft };
  };
  const written = await commit(context, target, decide, options);
  return written?.object ?? storedAs(draft, undefined, 0, context.ledger.rowFieldOf(typeName(target.type)));
}

function withTypeOf(type: ResourceType, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw badRequest("the body is not an object");
  const apiVersion = apiVersionOf(type);
  if (isKubeObject(input) && input.apiVersion === apiVersion && input.kind === type.kind) return input;
  const { apiVersion: given = apiVersion, kind = type.kind, metadata = {}, ...rest } = input as Partial<KubeObject>;
  if (given !== apiVersion || kind !== type.kind) {
    throw badRequest(`the object is a ${kind} of ${given}, and a ${type.kind} of ${apiVersion} is wanted here`);
  }
  return { apiVersion, kind, metadata, ...rest };
}

function namespaceOf(type: ResourceType, object: KubeObject): string | undefined {
  const { namespace } = object.metadata;
  if (!type.namespaced) return undefined;
  if (isText(namespace)) return namespace;
  throw badRequest("an empty namespace may not be set during creation");
}

function newObject(context: RegistryContext, target: Target, given: Draft): Draft {
  const { type, namespace, name } = target;
  const metadata = createdMetadata(given.bare.metadata, {
    name,
    uid: context.chance.uuid(),
    creationTimestamp: rfc3339OfMs(context.clock.now()),
    resourceVersion: "",
    ...(namespace === undefined ? {} : { namespace }),
    ...(hasGeneration(type) ? { generation: 1 } : {}),
  });
  const bare = { ...plain, ...given.bare, metadata };
  // Where status is a subresource of its own, a client cannot bring one along.
  const clean = type.statusSubresource ? withField(bare, "status", undefined) : bare;
  return { bare: strategyOf(type).create?.(clean) ?? clean, rows: given.rows };
}

/** Throws Invalid with everything that is wrong. */
function check(context: RegistryContext, { type, name }: Target, draft: Draft): void {
  const { bare } = draft;
  const fault = nameFault(type, name);
  const faults = [
    ...(fault === undefined ? [] : [`metadata.name: Invalid value: ${JSON.stringify(name)}: ${fault}`]),
    ...metadataFaults(bare),
    ...(strategyOf(type).faults?.(bare, undefined) ?? []),
    ...admissionFaults(context, type, () => storedAs(draft, undefined, 0, context.ledger.rowFieldOf(typeName(type)))),
  ];
  if (faults.length > 0) throw invalid(type, name, faults);
}

/** What the composition root's check says; it reads rows only if it asks for them. */
export function admissionFaults(
  context: RegistryContext,
  type: ResourceType,
  object: () => StoredObject,
): readonly string[] {
  return context.admission.get(typeName(type))?.(object().object) ?? [];
}

/**
 * What has an owner, or tells of another object, comes to where that is: made late, after its namespace has gone, it must
 * not bring the namespace back.
 */
function comesWithOthers(type: ResourceType, { metadata }: KubeObject): boolean {
  return typeName(type) === typeName(events) || (metadata.ownerReferences ?? []).length > 0;
}

async function findNamespace(context: RegistryContext, namespace: string | undefined): Promise<void> {
  if (
    namespace === undefined ||
    context.namespaces === "must-exist" ||
    namespaceHead(context, namespace) !== undefined
  ) {
    return;
  }
  try {
    await create(context, namespaces, { metadata: { name: namespace } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function checkNamespace(context: RegistryContext, { type, namespace, name }: Target): void {
  if (namespace === undefined) return;
  const found = namespaceHead(context, namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (!isDeleting(found.bare)) return;
  throw forbidden(type, name, `unable to create new content in namespace ${namespace} because it is being terminated`);
}

function namespaceHead({ ledger }: RegistryContext, namespace: string): StoredObject | undefined {
  return headOf(ledger.collection(typeName(namespaces)).entries.get(pathOf(undefined, namespace)));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
