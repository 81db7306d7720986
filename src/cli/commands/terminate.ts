/** `tiphys terminate` (Argo 4.1 behaviour 8.7). */

import { terminate } from "../../core/operations/index.js";
import { dryRunOption, runLifecycle } from "./lifecycle.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineSelectors, hasSelector, type SelectorFlags } from "./targets.js";

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("[NAME...]", "workflows, or @latest");
    defineSelectors(spec);
    spec.addOption(dryRunOption());
    examples(spec, ["tiphys terminate @latest"]);
  },
  run(context, call) {
    const flags = call.options<SelectorFlags & { readonly dryRun?: boolean }>();
    // As Argo: with a selector the names are not looked at.
    const names = hasSelector(flags) ? [] : call.args;
    const change = { operation: terminate, errorPrefix: "", withoutOwner: "go on" } as const;
    const nothingNamed = "requires either selector or workflow";
    const lifecycle = { done: "terminated", nothingNamed, change: () => change };
    return runLifecycle(context, names, { flags, lifecycle });
  },
};
