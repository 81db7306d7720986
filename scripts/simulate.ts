/**
 * `npm run simulate`: one seed with its history (`--seed N`), many for a while (`--minutes M`), the engine alone
 * (`--engine`), or every fault at every position of our sample workflows (`--sweep [NAME…]`).
 */

import { main } from "../test/simulation/command.js";
import { sweepCommand } from "../test/simulation/sweep/command.js";

const args = process.argv.slice(2);
const command = args.includes("--sweep") ? sweepCommand : main;
process.exitCode = await command(args, (text) => process.stdout.write(text));
