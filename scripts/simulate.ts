/** `npm run simulate`: one seed with its history (`--seed N`), or many for a while (`--minutes M`). */

import { main } from "../test/simulation/command.js";

process.exitCode = await main(process.argv.slice(2), (text) => process.stdout.write(text));
