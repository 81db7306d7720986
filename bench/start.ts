/** How long a person waits for the program itself: `version`, and one hello from command to exit. */

import { fileURLToPath } from "node:url";
import { compare, program, timeCommand, verdict, withHome } from "./lib/measure.js";

const hello = fileURLToPath(new URL("../examples/hello-world.yaml", import.meta.url));
const VERSION_EXTRA_MS = 60;
const HELLO_EXTRA_MS = 600;

function versionBench(): void {
  const { ours, bare } = compare(
    15,
    () => timeCommand([process.execPath, program, "version"]),
    () => timeCommand([process.execPath, "-e", "0"]),
  );
  const extra = ours - bare;
  console.log(
    `tiphys version: ${ours.toFixed(0)} ms, bare node ${bare.toFixed(0)} ms: +${extra.toFixed(0)} ms, ` +
      `ratio ${(ours / bare).toFixed(2)} (target +${VERSION_EXTRA_MS} ms: ${verdict(extra <= VERSION_EXTRA_MS)})`,
  );
}

/** The bare program in the same isolation: a mount, PID and user namespace made by the same tool. */
function bareHello(): number {
  const node = timeCommand([process.execPath, "-e", "0"]);
  return (
    node + timeCommand(["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "echo", "hello world"])
  );
}

async function helloBench(): Promise<void> {
  await withHome((home) => {
    const { ours, bare } = compare(
      7,
      () => timeCommand([process.execPath, program, "run", "--runtime", "host", hello], { TIPHYS_HOME: home }),
      bareHello,
    );
    const extra = ours - bare;
    console.log(
      `tiphys run hello: ${ours.toFixed(0)} ms, bare node and program ${bare.toFixed(0)} ms: +${extra.toFixed(0)} ms, ` +
        `ratio ${(ours / bare).toFixed(2)} (target +${HELLO_EXTRA_MS} ms: ${verdict(extra <= HELLO_EXTRA_MS)})`,
    );
  });
}

versionBench();
await helloBench();
