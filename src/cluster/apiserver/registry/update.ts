/** PUT and PATCH: an object changed, or found to be as wanted already. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { apiVersionOf, type ResourceType } from "../../../core/model/resources.js";
import { isJsonObject, type Json } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";
import type { Patch, WriteOptions } from "../../../kube/client.js";
import { ApiError } from "../../../kube/errors.js";
import { typeName } from "../../../kube/key.js";
import { jsonEqual } from "../../../kube/patch/equal.js";
import { applyJsonPatch, type PatchFailure } from "../../../kube/patch/json-patch.js";
import { type RowField, StoredObject } from "../storage/stored-object.js";
import { commit, type Intent, type Target } from "./commit.js";
import type { RegistryContext } from "./context.js";
import { admissionFaults } from "./create.js";
import { checked, type Draft, draftOf, mergedDraft, split } from "./draft.js";
import { fieldOf, withField } from "./fields.js";
import { jsonCopy } from "./json-copy.js";
import { isReleased } from "./lifecycle.js";
import { metadataFaults, newFinalizersFault, updatedMetadata } from "./metadata.js";
import { badRequest, invalid, modified, noSuchType, notFound, preconditionFailed } from "./refusals.js";
import { allowsUnconditionalUpdate, hasGeneration, strategyOf } from "./strategy-table.js";

/** The object as it stands afterwards. Throws or rejects with ApiError as Kubernetes' PUT does. */
export function update(
  context: RegistryContext,
  type: ResourceType,
  input: unknown,
  options: WriteOptions = {},
): Promise<StoredObject> {
  const metadata = isJsonObject(input) ? input["metadata"] : undefined;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  if (typeof name !== "string" || name === "") throw badRequest("the object has no metadata.name");
  const target = { type, name, namespace: type.namespaced && typeof namespace === "string" ? namespace : undefined };
  const draft = (head: StoredObject | undefined, field: RowField | undefined): Draft => {
    const given = draftOf(input, head, field);
    if (head === undefined) throw missing(target, given.bare);
    if (!allowsUnconditionalUpdate(type) && !isSet(given.bare.metadata.resourceVersion)) {
      throw invalid(type, name, ["metadata.resourceVersion: Invalid value: 0x0: must be specified for an update"]);
    }
    return given;
  };
  return change(context, target, draft, options);
}

/** The object as it stands afterwards. Throws or rejects with ApiError as Kubernetes' PATCH does. */
export function patch(
  context: RegistryContext,
  target: Target,
  given: Patch,
  options: WriteOptions = {},
): Promise<StoredObject> {
  const body = jsonCopy(given.body);
  const draft = (head: StoredObject | undefined, field: RowField | undefined): Draft => {
    if (head === undefined) throw notFound(target.type, target.name);
    if (given.type === "json") return jsonPatched(target, head, body, field);
    if (!isJsonObject(body)) throw badRequest("a merge patch is an object");
    return mergedDraft(head, body, field);
  };
  return change(context, target, draft, options);
}

type Drafting = (head: StoredObject | undefined, field: RowField | undefined) => Draft;

async function change(context: RegistryContext, target: Target, drafting: Drafting, options: WriteOptions) {
  const { type } = target;
  if (options.subresource !== undefined && !type.statusSubresource) throw noSuchType();
  const field = context.ledger.rowFieldOf(typeName(type));
  let decided: StoredObject | undefined;
  const decide = (head: StoredObject | undefined): Intent => {
    const given = drafting(head, field);
    if (head === undefined) throw notFound(type, target.name);
    checkPreconditions(target, head.bare, given.bare);
    const draft = settled(target, head, given, options);
    decided = head;
    if (draft.rows.length === 0 && jsonEqual(jsonOf(draft.bare), jsonOf(head.bare))) return { kind: "nothing" };
    check(context, target, head, draft);
    if (options.dryRun === true) {
      decided = dryRun(draft, head, field);
      return { kind: "nothing" };
    }
    return { kind: isReleased(draft.bare) ? "remove" : "put", draft };
  };
  const written = await commit(context, target, decide, options);
  const object = options.dryRun === true ? decided : written?.object;
  if (object === undefined) throw notFound(type, target.name);
  return object;
}

function missing({ type, name }: Target, given: KubeObject): ApiError {
  const { uid } = given.metadata;
  if (!isSet(uid)) return notFound(type, name);
  return preconditionFailed({ type, name }, "UID", { wanted: uid, found: "" });
}

function checkPreconditions({ type, name }: Target, head: KubeObject, given: KubeObject): void {
  const { uid, resourceVersion } = given.metadata;
  if (isSet(uid) && uid !== head.metadata.uid) {
    throw preconditionFailed({ type, name }, "UID", { wanted: uid, found: head.metadata.uid ?? "" });
  }
  if (isSet(resourceVersion) && resourceVersion !== head.metadata.resourceVersion) throw modified(type, name);
}

/** What the client may change is as it says; the rest is as before, or as the server sets it. */
function settled({ type, name }: Target, head: StoredObject, given: Draft, options: WriteOptions): Draft {
  const { bare } = given;
  if (bare.apiVersion !== apiVersionOf(type) || bare.kind !== type.kind) {
    throw badRequest(`the object is a ${bare.kind} of ${bare.apiVersion}, and it was a ${type.kind}`);
  }
  if (isSet(bare.metadata.name) && bare.metadata.name !== name) {
    throw badRequest(`the name of the object (${bare.metadata.name}) does not match the name on the URL (${name})`);
  }
  const merged = options.subresource === "status" ? statusOnly(type, head.bare, bare) : specOnly(type, head.bare, bare);
  const metadata = updatedMetadata(merged.metadata, head.bare.metadata);
  const kept = metadata === merged.metadata ? merged : { ...plain, ...merged, metadata };
  const updated = strategyOf(type).update?.(kept, head.bare) ?? kept;
  return { bare: counted(type, head.bare, { bare: updated, rows: given.rows }), rows: given.rows };
}

/** Through the status subresource only the status changes; of metadata, for the core group, labels and annotations. */
function statusOnly(type: ResourceType, head: KubeObject, given: KubeObject): KubeObject {
  const changed = withField(head, "status", fieldOf(given, "status"));
  if (type.group !== "") return changed;
  const { labels, annotations } = given.metadata;
  if (labels === head.metadata.labels && annotations === head.metadata.annotations) return changed;
  const { labels: _labels, annotations: _annotations, ...rest } = head.metadata;
  const metadata = { ...plain, ...rest, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { ...plain, ...changed, metadata };
}

function specOnly(type: ResourceType, head: KubeObject, given: KubeObject): KubeObject {
  return type.statusSubresource ? withField(given, "status", fieldOf(head, "status")) : given;
}

/** generation grows with every change outside metadata and, where it is a subresource, status. */
function counted(type: ResourceType, head: KubeObject, { bare, rows }: Draft): KubeObject {
  if (!hasGeneration(type)) return bare;
  if (rows.length === 0 && isSameContent(type, bare, head)) return bare;
  const metadata = { ...plain, ...bare.metadata, generation: (head.metadata.generation ?? 0) + 1 };
  return { ...plain, ...bare, metadata };
}

function isSameContent(type: ResourceType, one: KubeObject, other: KubeObject): boolean {
  const counts = (name: string): boolean => name !== "metadata" && !(type.statusSubresource && name === "status");
  const names = Object.keys(one).filter(counts);
  return (
    names.length === Object.keys(other).filter(counts).length &&
    names.every((name) => jsonEqual(fieldOf(one, name), fieldOf(other, name)))
  );
}

function check(context: RegistryContext, target: Target, head: StoredObject, draft: Draft): void {
  const { type, name } = target;
  const finalizersFault = newFinalizersFault(head.bare, draft.bare);
  const faults = [
    ...metadataFaults(draft.bare, head.bare),
    ...(finalizersFault === undefined ? [] : [finalizersFault]),
    ...(strategyOf(type).faults?.(draft.bare, head.bare) ?? []),
    ...admissionFaults(context, type, () => dryRun(draft, head, context.ledger.rowFieldOf(typeName(type)))),
  ];
  if (faults.length > 0) throw invalid(type, name, faults);
}

/** The object as it would be. It leaves the table of rows that the next write builds on alone. */
function dryRun(draft: Draft, head: StoredObject, field: RowField | undefined): StoredObject {
  const table = draft.rows.length === 0 ? head.table : head.table?.copy().with(draft.rows, head.revision);
  return new StoredObject(head.revision, draft.bare, table, field);
}

function jsonPatched(target: Target, head: StoredObject, body: Json, field: RowField | undefined): Draft {
  if (!Array.isArray(body)) throw badRequest("a JSON patch is a list of operations");
  const touchesRows = field !== undefined && body.some((operation: Json) => touches(operation, field));
  const patched = applyJsonPatch(jsonOf(touchesRows ? head.object : head.bare), body);
  if (!patched.ok) throw patchRefused(target, patched.error);
  return touchesRows ? split(checked(patched.value), head, field) : { bare: checked(patched.value), rows: [] };
}

/** Whether an operation reads or writes the row field, one of its parents, or what is below it. */
function touches(operation: Json, field: RowField): boolean {
  if (!isJsonObject(operation)) return true;
  return [operation["path"], operation["from"]].some((pointer) => {
    if (typeof pointer !== "string") return false;
    const tokens = pointer.split("/").slice(1);
    return tokens.slice(0, field.length).every((token, index) => token === field[index]);
  });
}

function patchRefused({ type, name }: Target, failure: PatchFailure): ApiError {
  switch (failure.reason) {
    case "malformed":
      return badRequest(failure.message);
    case "too-large":
      return new ApiError(413, "RequestEntityTooLarge", failure.message);
    case "test-failed":
    case "not-applicable":
      return invalid(type, name, [failure.message]);
  }
}

function jsonOf(object: unknown): Json {
  if (isJsonObject(object)) return object;
  throw badRequest("the object is not an object");
}

function isSet(value: string | undefined): value is string {
  return typeof value === "string" && value !== "";
}
