import { beforeAll, expect, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "./fakes/load-commands.js";
import { fakePorts } from "./fakes/ports.js";
import { main } from "./main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test("an answer that the disk did not take whole is no success", async () => {
  const ports = fakePorts({ cwd: "/" });
  ports.stdout.fault = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(await main(["version"], ports)).toBe(4);
  expect(ports.stderr.text).toBe("error: stdout took only a part of it: no space is left on the disk\n");
});
