import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StartResult } from "../../src/cluster/kubelet/runtime/port.js";
import { type ContainerMachine, containerMachine } from "./machine.js";
import { container, openPod, podOf, setupOf, startRuntime } from "./pods.js";
import { type Registry, serveImage } from "./registry.js";

const found = await containerMachine();
if (typeof found === "string") console.warn(`skipped: ${found}`);

describe.skipIf(typeof found === "string")("pull", () => {
  let machine = found as ContainerMachine;
  let open: Registry;
  let closed: Registry;

  beforeAll(async () => {
    [open, closed] = await Promise.all([serveImage("app", { login: false }), serveImage("app", { login: true })]);
    // Loopback is plain HTTP; docker knows that by itself.
    const registries = join(machine.folder, "registries.conf");
    const entries = [open, closed].map(({ address }) => `[[registry]]\nlocation = "${address}"\ninsecure = true\n`);
    await writeFile(registries, entries.join(""));
    machine = { ...machine, env: { ...machine.env, CONTAINERS_REGISTRIES_CONF: registries } };
  });
  afterAll(async () => {
    await Promise.all([open.close(), closed.close()]);
    await machine.remove();
  });

  async function start(uid: string, image: string, pull: "missing" | "always" | "never" = "missing") {
    const on = await startRuntime(machine, "pods", { pull, prefetch: [image] });
    const main = { ...container("main", "/hello"), image };
    const handle = await openPod(on.runtime, on.podsFolder, podOf(uid, [main]));
    const told: string[] = [];
    const result: StartResult = await handle.startContainer(setupOf(main, { waiting: (_, text) => told.push(text) }));
    await handle.remove();
    await on.runtime.close();
    return { result, told };
  }

  const manifests = () => open.asked.filter((url) => url.endsWith("/manifests/1")).length;

  test("an image that is missing is pulled once, and then it is here", async () => {
    const image = `${open.address}/app:1`;
    const first = await start("first", image);
    // Its only file is no program: that it is tried to run shows that the image came.
    expect(first.result).toMatchObject({ kind: expect.stringMatching(/^(?:failed|started)$/) });
    expect(first.told[0]).toMatch(/^pulling/);
    const before = open.asked.length;
    await start("second", image);
    expect(open.asked.length).toBe(before);
    await start("third", image, "always");
    expect(manifests()).toBeGreaterThan(1);
    expect(await start("fourth", image, "never")).toMatchObject({ told: [] });
  });

  test("a tag that the registry does not have", async () => {
    const { result } = await start("notag", `${open.address}/app:2`);
    expect(result).toEqual({
      kind: "waiting",
      reason: "ErrImagePull",
      message: `${open.address}/app:2: not found in ${open.address}`,
    });
  });

  test("a registry that wants a login", async () => {
    const { result } = await start("login", `${closed.address}/app:1`);
    expect(result).toEqual({
      kind: "waiting",
      reason: "ErrImagePull",
      message: `${closed.address}/app:1: 401, no login: ${machine.program} login ${closed.address}`,
    });
  });

  test("never: nobody is asked", async () => {
    const before = open.asked.length;
    const { result } = await start("never", `${open.address}/app:3`, "never");
    expect(result).toEqual({
      kind: "waiting",
      reason: "ErrImageNeverPull",
      message: `Container image "${open.address}/app:3" is not present with pull policy of Never`,
    });
    expect(open.asked.length).toBe(before);
  });
});
