/** `-o json|yaml|name|wide|short` for objects. */

import type { Workflow } from "../core/model/argo/workflow.js";
import {
  encodeResource,
  isKnownKind,
  type KnownKind,
  printJson,
  printYaml,
  type ResourcesByKind,
} from "../core/model/index.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import { isJsonObject, type Json, type JsonObject } from "../core/std/json.js";
import { type Context, writeLines } from "./context.js";
import { getLines } from "./print/get.js";

/** One object as itself, several as a list (JSON) or as documents (YAML); `json-list` and `yaml-list` are always lists. */
export function writeObjects(context: Context, objects: readonly KubeObject[], form: string): void {
  const { stdout } = context.ports;
  switch (form) {
    case "name":
      writeLines(
        context,
        objects.map(({ metadata }) => metadata.name ?? metadata.generateName ?? ""),
      );
      return;
    case "json":
      stdout.write(printJson(objects.length === 1 ? jsonOf(objects[0]) : objects.map(jsonOf)));
      return;
    case "json-list":
      stdout.write(printJson(objects.map(jsonOf)));
      return;
    case "yaml-list":
      stdout.write(printYaml(objects.map(jsonOf)));
      return;
    case "yaml":
      stdout.write(objects.map((object) => printYaml(jsonOf(object))).join("---\n"));
      return;
    default:
      for (const [index, object] of objects.entries()) {
        if (index > 0) stdout.write("\n");
        if (object.kind === "Workflow") writeLines(context, workflowView(context, object, form));
        else writeLines(context, [`${object.kind} ${object.metadata.name ?? ""}`]);
      }
  }
}

interface ViewFacts {
  readonly selects?: NodeFilter;
  readonly waits?: NodeWaits;
  /** The command that goes on with a workflow whose process is gone. */
  readonly lost?: string | undefined;
}

/** Argo's view of a workflow; `form` is wide, short, or anything for the default. */
export function workflowView(
  context: Context,
  object: KubeObject,
  form: string,
  { selects = everyNode, waits, lost }: ViewFacts = {},
): readonly string[] {
  if (!isWorkflow(object)) return [];
  const { ports, out } = context;
  const columns = form === "wide" || form === "short" ? form : "default";
  const utcOffsetMinutes = (at: number): number => ports.utcOffsetMinutes(at);
  const shown = { ...(waits !== undefined && { waits }), ...(lost !== undefined && { lost }) };
  return getLines(object, { columns, style: out, now: ports.clock.now(), selects, utcOffsetMinutes, ...shown });
}

export type NodeFilter = Parameters<typeof getLines>[1]["selects"];

type NodeWaits = NonNullable<Parameters<typeof getLines>[1]["waits"]>;

const everyNode: NodeFilter = () => true;

export function isWorkflow(object: KubeObject): object is Workflow {
  return object.kind === "Workflow" && "spec" in object;
}

export function jsonOf(object: KubeObject | undefined): JsonObject {
  if (object === undefined) return {};
  if (isKnownResource(object)) return encodeResource(object);
  const plain: Json = JSON.parse(JSON.stringify(object));
  return isJsonObject(plain) ? plain : {};
}

function isKnownResource(object: KubeObject): object is ResourcesByKind[KnownKind] {
  return isKnownKind(object.kind);
}
