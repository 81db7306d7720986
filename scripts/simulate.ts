/**
 * `npm run simulate`: one seed with its history (`--seed N`), many for a while (`--minutes M`), the engine alone
 * (`--engine`), or every fault at every position of our sample workflows (`--sweep [NAME…]`).
 */

import { main } from "../test/simulation/command.js";
import { usage } from "../test/simulation/flags.js";
import { sweepCommand } from "../test/simulation/sweep/command.js";

const args = process.argv.slice(2);
const write = (text: string): boolean => process.stdout.write(text);
if (args.includes("--help") || args.includes("-h")) write(usage);
else if (args.includes("--sweep")) process.exitCode = await sweepCommand(args, write);
else {
  let isStopped = false;
  // The second Ctrl-C ends it at once.
  process.once("SIGINT", () => {
    isStopped = true;
  });
  process.exitCode = await main(args, write, () => isStopped);
}
