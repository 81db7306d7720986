/** `tiphys get` (Argo 4.1 behaviour 8.6). */

import { readControllerConfig } from "../../core/engine/controller-config.js";
import type { NodeId, NodePhase } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Event } from "../../core/model/kube/core.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { events, pods } from "../../core/model/resources.js";
import { parseNodeSelector } from "../../core/operations/index.js";
import { cleanupFailedReason, type FailedTry, readCleanupFailed } from "../../core/podlife/index.js";
import { compareUtf8 } from "../../core/std/order.js";
import type { Client } from "../../kube/client.js";
import { type Context, writeLines } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { type NodeFilter, workflowView, writeObjects } from "../output.js";
import { readSettings } from "../places/files.js";
import { type OpenWorkflow, withWorkflow } from "../places/find.js";
import { goOnCommand } from "../places/places.js";
import { podWaits } from "../print/pod-waits.js";
import { toldIfSilent } from "../tell-silent.js";
import { outputOption } from "./flags.js";
import { nodeSelectorOption } from "./lifecycle.js";
import { knownPhase } from "./list.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly output?: string;
  readonly status?: string;
  readonly nodeFieldSelector?: string;
  readonly in?: string;
}

interface Seen {
  readonly workflow: Workflow;
  readonly waits: ReadonlyMap<NodeId, string>;
  readonly lost: string | undefined;
}

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("<NAME...>", "workflows, or @latest").option("--status <PHASE>", "steps of this phase only");
    nodeSelectorOption(spec, "these steps only");
    defineIn(spec);
    spec.addOption(outputOption(["name", "json", "yaml", "short", "wide"]));
    examples(spec, ["tiphys get @latest", "tiphys get nightly -o yaml"]);
  },
  async run(context, call) {
    const flags = call.options<Flags>();
    const selects = nodeFilter(flags);
    const seen: Seen[] = [];
    for (const name of call.args) {
      const asked = withWorkflow(context, { name, inPlace: flags.in }, async (open) => ({
        workflow: open.workflow,
        waits: await waitsOf(context, open),
        lost: lostOf(open),
      }));
      const one = await toldIfSilent(context, asked);
      if (one !== undefined) seen.push(one);
    }
    const code = seen.length < call.args.length ? exitCodes.internal : exitCodes.succeeded;
    if (seen.length === 0) return code;
    const form = flags.output ?? "default";
    if (form === "name" || form === "json" || form === "yaml") {
      writeObjects(
        context,
        seen.map(({ workflow }) => workflow),
        form,
      );
      return code;
    }
    for (const [index, { workflow, ...more }] of seen.entries()) {
      if (index > 0) writeLines(context, [""]);
      writeLines(context, workflowView(context, workflow, form, { selects, ...more }));
    }
    return code;
  },
};

/** What to do about a workflow that nobody works on; undefined where somebody does, or it has ended. */
function lostOf({ handle, workflow, found }: OpenWorkflow): string | undefined {
  if (handle.role !== "reader" || workflow.status?.finishedAt !== undefined) return undefined;
  return goOnCommand(found.place, found.row.name);
}

/** Where nobody works on the pods they wait for nothing. */
async function waitsOf({ ports }: Context, { handle, workflow }: OpenWorkflow): Promise<ReadonlyMap<NodeId, string>> {
  if (handle.role === "reader") return new Map();
  const { namespace = "" } = workflow.metadata;
  const [podList, settings, failed] = await Promise.all([
    handle.client.list<Pod>(pods, { namespace }),
    readSettings(handle.folder),
    failedTries(handle.client, namespace),
  ]);
  const { podGCDeleteDelayMs: podGCDelayMs } = readControllerConfig(settings?.options.controllerConfig ?? {}).settings;
  return podWaits(workflow, podList.items, { now: ports.clock.now(), podGCDelayMs, failed });
}

/** By pod UID: the controller tells of a pod that it cannot free for long, with each try. */
async function failedTries(client: Client, namespace: string): Promise<ReadonlyMap<string, FailedTry>> {
  const { items } = await client.list<Event>(events, { namespace, fieldSelector: `reason=${cleanupFailedReason}` });
  const oldestFirst = [...items].sort((one, other) => compareUtf8(one.lastTimestamp ?? "", other.lastTimestamp ?? ""));
  const tries = oldestFirst.flatMap(({ message = "", lastTimestamp = "" }) => {
    const failed = readCleanupFailed(message, Date.parse(lastTimestamp));
    return failed === undefined ? [] : [[failed.podUid, failed] as const];
  });
  return new Map(tries);
}

const PHASES: readonly NodePhase[] = ["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"];

function nodeFilter({ status, nodeFieldSelector }: Flags): NodeFilter {
  if (status !== undefined && nodeFieldSelector !== undefined) {
    throw badInput("cannot use both --status and --node-field-selector");
  }
  if (status !== undefined) knownPhase(status, PHASES);
  const parsed = parseNodeSelector(status === undefined ? (nodeFieldSelector ?? "") : `phase=${status}`);
  if (!parsed.ok) throw badInput(parsed.error);
  return parsed.value;
}
