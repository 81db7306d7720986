/** `tiphys get` (Argo 4.1 behaviour 8.6). */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { parseNodeSelector } from "../../core/operations/index.js";
import { writeLines } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { type NodeFilter, workflowView, writeObjects } from "../output.js";
import { withWorkflow } from "../places/find.js";
import { outputOption } from "./flags.js";
import { nodeSelectorOption } from "./lifecycle.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly output?: string;
  readonly status?: string;
  readonly nodeFieldSelector?: string;
  readonly in?: string;
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
    const workflows: Workflow[] = [];
    for (const name of call.args) {
      workflows.push(await withWorkflow(context, { name, inPlace: flags.in }, async ({ workflow }) => workflow));
    }
    const form = flags.output ?? "default";
    if (form === "name" || form === "json" || form === "yaml") {
      writeObjects(context, workflows, form);
    } else {
      for (const [index, workflow] of workflows.entries()) {
        if (index > 0) writeLines(context, [""]);
        writeLines(context, workflowView(context, workflow, form, selects));
      }
    }
    return exitCodes.succeeded;
  },
};

function nodeFilter({ status, nodeFieldSelector }: Flags): NodeFilter {
  if (status !== undefined && nodeFieldSelector !== undefined) {
    throw badInput("cannot use both --status and --node-field-selector");
  }
  const parsed = parseNodeSelector(status === undefined ? (nodeFieldSelector ?? "") : `phase=${status}`);
  if (!parsed.ok) throw badInput(parsed.error);
  return parsed.value;
}
