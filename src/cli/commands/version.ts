/** `tiphys version` (Argo 4.1 behaviour 8.12). */

import { writeLines } from "../context.js";
import { exitCodes } from "../exit-codes.js";
import type { CommandDefinition } from "./module.js";

export const command: CommandDefinition = {
  define(spec) {
    spec.option("--short", "only the version");
  },
  async run(context, call) {
    const { ports } = context;
    const { version, buildDate, gitCommit, gitTreeState, nodeVersion } = ports.version;
    const lines = [
      `tiphys: v${version}`,
      `  BuildDate: ${buildDate}`,
      `  GitCommit: ${gitCommit}`,
      `  GitTreeState: ${gitTreeState}`,
      `  NodeVersion: ${nodeVersion}`,
      `  Platform: ${ports.machine.platform}/${ports.machine.arch}`,
    ];
    writeLines(context, call.options<{ short?: boolean }>().short === true ? lines.slice(0, 1) : lines);
    return exitCodes.succeeded;
  },
};
