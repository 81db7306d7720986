/** `tiphys node set`: answers a suspended step (Argo 4.1 behaviour 8.7). */

import type { NodePhase } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { set } from "../../core/operations/index.js";
import { writeLines } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { findWorkflow } from "../places/find.js";
import { changeWorkflow } from "../session/change.js";
import { nodeSelectorOption } from "./lifecycle.js";
import { type CommandDefinition, collect, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly nodeFieldSelector?: string;
  readonly phase?: string;
  readonly outputParameter?: readonly string[];
  readonly message?: string;
  readonly in?: string;
}

const PHASES: readonly NodePhase[] = ["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"];

export const command: CommandDefinition = {
  define(spec) {
    spec.argument("<ACTION>", "set").argument("<NAME>", "workflow, or @latest");
    nodeSelectorOption(spec, "the suspended steps that are meant");
    spec
      .option("--phase <PHASE>", "end them as Succeeded, Failed, …")
      .option("-p, --output-parameter <NAME=VALUE>", "set an output parameter (repeatable)", collect)
      .option("-m, --message <TEXT>", "set their message");
    defineIn(spec);
    examples(spec, [
      "tiphys node set @latest --node-field-selector displayName=approve -p answer=yes --phase Succeeded",
    ]);
  },
  async run(context, call) {
    const [action = "", name = ""] = call.args;
    if (action !== "set") throw badInput(`unknown action '${action}'`, "tiphys node set NAME");
    const flags = call.options<Flags>();
    const { message } = flags;
    const change = {
      outputParameters: outputParameters(flags.outputParameter ?? []),
      ...(message === undefined ? {} : { message }),
      ...(flags.phase === undefined ? {} : { phase: phaseOf(flags.phase) }),
    };
    const request = { nodeFieldSelector: flags.nodeFieldSelector ?? "", change, now: context.ports.clock.now() };
    const found = await findWorkflow(context, name, flags.in);
    const operation = (workflow: Workflow): ReturnType<typeof set> => set(workflow, request);
    const code = await changeWorkflow(context, found, { operation, errorPrefix: "", withoutOwner: "go on" });
    writeLines(context, ["workflow values set"]);
    return code === exitCodes.succeeded ? code : exitCodes.failed;
  },
};

function phaseOf(text: string): NodePhase {
  const phase = PHASES.find((known) => known === text);
  if (phase === undefined) throw badInput(`--phase ${text}: one of ${PHASES.join(", ")}`);
  return phase;
}

/** `NAME=VALUE`; a value in Go's double quotes is unquoted. */
function outputParameters(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((word) => {
      const equals = word.indexOf("=");
      if (equals <= 0) throw badInput(`expected parameter of the form: NAME=VALUE. Received: ${word}`);
      return [word.slice(0, equals), unquoted(word.slice(equals + 1))] as const;
    }),
  );
}

function unquoted(value: string): string {
  if (!/^".*"$/s.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
