/** `tiphys shell`: a shell in a step as it left its files. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Context, notice } from "../context.js";
import { badInput, cannotRun, notFound } from "../errors.js";
import { withWorkflow } from "../places/find.js";
import { shellLine } from "../print/shell-words.js";
import { findSteps, hasRun, lastFailed, type Step } from "../steps.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly container: string;
  readonly in?: string;
}

export const command: CommandDefinition = {
  define(spec) {
    spec
      .argument("<NAME>", "workflow, or @latest")
      .argument("[STEP]", "pod, node ID, name or template; none: the step that failed")
      .option("-c, --container <NAME>", "container of the step", "main");
    defineIn(spec);
    examples(spec, ["tiphys shell @latest", "tiphys shell nightly unit"]);
  },
  run(context, call) {
    const [name = "", step] = call.args;
    const flags = call.options<Flags>();
    if (call.args.length > 2) throw badInput("one workflow and one step", "tiphys shell NAME [STEP]");
    return withWorkflow(context, { name, inPlace: flags.in }, async ({ handle, workflow }) => {
      const chosen = stepOf(workflow, step);
      const pod = { namespace: workflow.metadata.namespace ?? "", name: chosen.pod };
      const request = { pod, container: flags.container };
      const target = await handle.shellTarget(request);
      if (target === null) throw nothingKept(workflow, chosen);
      tell(context, chosen, target);
      const { exitCode } = await handle.shell(request);
      return exitCode;
    });
  },
};

function stepOf(workflow: Workflow, name: string | undefined): Step {
  const step = name === undefined ? lastFailed(workflow) : findSteps(workflow, name).at(-1);
  if (step !== undefined) return step;
  throw notFound(`${workflow.metadata.name ?? ""} has no step yet`);
}

function nothingKept(workflow: Workflow, { node }: Step): Error {
  const what = `${node.displayName} of ${workflow.metadata.name ?? ""}`;
  if (!hasRun(node)) return cannotRun(`${what} never ran: ${node.message ?? `it is ${node.phase ?? "Pending"}`}`);
  const ended = node.phase === "Succeeded" ? "it succeeded, and only failed steps are kept" : "it was not kept";
  const hint = "run it again with --keep always";
  return cannotRun(`nothing is left of ${what}: ${ended}`, hint);
}

function tell(
  context: Context,
  { node }: Step,
  target: { readonly image: string; readonly command: readonly string[]; readonly workingDir: string },
): void {
  notice(
    context,
    `${node.displayName}, image ${target.image}, in ${target.workingDir}; what you do here changes nothing of the run`,
  );
  if (target.command.length > 0) notice(context, `it ran: ${shellLine(target.command)}`);
}
