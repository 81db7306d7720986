/** Puts the built program into node_modules/.bin of a checkout, so that `npx tiphys` works there without an install. */

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../node_modules/.bin/", import.meta.url));
mkdirSync(bin, { recursive: true });
rmSync(`${bin}tiphys`, { force: true });
symlinkSync("../../dist/tiphys.js", `${bin}tiphys`);
