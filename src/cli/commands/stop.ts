/** `tiphys stop` (Argo 4.1 behaviour 8.7). */

import { stop } from "../../core/operations/index.js";
import { dryRunOption, nodeSelectorOption, runLifecycle } from "./lifecycle.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineSelectors, type SelectorFlags } from "./targets.js";

interface Flags extends SelectorFlags {
  readonly message?: string;
  readonly nodeFieldSelector?: string;
  readonly dryRun?: boolean;
}

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("[NAME...]", "workflows, or @latest").option("--message <TEXT>", "why, for the steps it ends");
    nodeSelectorOption(spec, "end only these suspended steps");
    defineSelectors(spec);
    spec.addOption(dryRunOption());
    examples(spec, [
      "tiphys stop @latest",
      "tiphys stop nightly --node-field-selector displayName=approve --message no",
    ]);
  },
  run(context, call) {
    const flags = call.options<Flags>();
    const { message, nodeFieldSelector } = flags;
    const options = {
      now: context.ports.clock.now(),
      ...(message === undefined ? {} : { message }),
      ...(nodeFieldSelector === undefined ? {} : { nodeFieldSelector }),
    };
    const lifecycle = {
      done: "stopped",
      nothingNamed: "requires either selector or workflow",
      change: () => ({
        operation: (workflow: Parameters<typeof stop>[0]) => stop(workflow, options),
        errorPrefix: "",
        withoutOwner: "go on" as const,
      }),
    };
    return runLifecycle(context, call.args, { flags, lifecycle });
  },
};
