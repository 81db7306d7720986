/** `tiphys suspend` (Argo 4.1 behaviour 8.7). */

import { suspend } from "../../core/operations/index.js";
import { runLifecycle } from "./lifecycle.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn, type SelectorFlags } from "./targets.js";

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("<NAME...>", "workflows, or @latest");
    defineIn(spec);
    examples(spec, ["tiphys suspend @latest", "tiphys resume @latest"]);
  },
  run(context, call) {
    const flags = call.options<SelectorFlags>();
    const lifecycle = {
      done: "suspended",
      nothingNamed: "requires a workflow",
      change: ({ row }: { readonly row: { readonly name: string } }) => ({
        operation: suspend,
        errorPrefix: `failed to suspend ${row.name}: `,
        withoutOwner: "refuse" as const,
      }),
    };
    return runLifecycle(context, call.args, { flags, lifecycle });
  },
};
