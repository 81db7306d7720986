/** `tiphys resume`: a suspended workflow goes on (Argo 4.1 behaviour 8.7). A run whose process died is `run --resume`. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { resume } from "../../core/operations/index.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { type Found, goOnCommand } from "../places/places.js";
import { nodeSelectorOption, runLifecycle } from "./lifecycle.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn, type SelectorFlags } from "./targets.js";

interface Flags extends SelectorFlags {
  readonly nodeFieldSelector?: string;
}

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("[NAME...]", "workflows, or @latest");
    nodeSelectorOption(spec, "go on with these suspended steps only");
    defineIn(spec);
    examples(spec, ["tiphys resume @latest", "tiphys resume nightly --node-field-selector displayName=approve"]);
  },
  async run(context, call) {
    const flags = call.options<Flags>();
    const { nodeFieldSelector } = flags;
    // As Argo: a selector without names does nothing.
    if (call.args.length === 0 && nodeFieldSelector !== undefined) return exitCodes.succeeded;
    const now = context.ports.clock.now();
    const operation = (workflow: Workflow): ReturnType<typeof resume> =>
      resume(workflow, { now, ...(nodeFieldSelector === undefined ? {} : { nodeFieldSelector }) });
    const lifecycle = {
      done: "resumed",
      nothingNamed: "requires either node field selector or workflow",
      change: (found: Found) => {
        refuseLost(found);
        return { operation, errorPrefix: `failed to resume ${found.row.name}: `, withoutOwner: "go on" as const };
      },
    };
    return runLifecycle(context, call.args, { flags, lifecycle });
  },
};

/** Ended: nothing waits in it. Not suspended, and nobody owns it: what the user means is the other resume. */
function refuseLost({ row, place, owned }: Found): void {
  if (row.finishedAt !== "") throw new CliError(exitCodes.failed, `${row.name} has ended: ${row.status}`);
  if (owned || row.status.includes("Suspended")) return;
  const message = `${row.name} is not suspended: its process is gone`;
  throw new CliError(exitCodes.failed, message, goOnCommand(place, row.name));
}
