/** `tiphys controller --release`: before an uninstall nothing may be left that only a controller could free. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, onPort, podsOf } from "./api.js";
import { User } from "./program.js";
import { scriptWorkflow, upWith } from "./up.js";

const OURS = "workflows.argoproj.io/status";
const FOREIGN = "example.com/hold";

let user: User;

beforeEach(() => {
  user = new User();
  user.file("long.yaml", scriptWorkflow("long", "echo begun; sleep 600"));
});
afterEach(() => user.dispose());

async function finalizers(socket: string): Promise<readonly (readonly string[] | undefined)[]> {
  return (await podsOf(socket)).map(({ metadata }) => metadata.finalizers);
}

describe("a place that is up", () => {
  let socket: string;

  beforeEach(async () => {
    ({ socket } = await upWith(user, "long", "long.yaml"));
    expect(await finalizers(socket)).toEqual([[OURS]]);
  });

  test("is reached by its socket; finalizers of others stay", async () => {
    const body = { metadata: { finalizers: [FOREIGN, OURS] } };
    await ask(socket, { method: "PATCH", path: "/api/v1/namespaces/default/pods/long", body });
    const first = await user.tiphys(["controller", "--release"]);
    expect(first).toMatchObject({
      code: 0,
      stdout: "pod default/long freed (Running: it can go before its outcome is saved)\n1 pod freed\n",
      stderr: "place up is at work: pods that it makes from now on carry the finalizer again\n",
    });
    expect(await finalizers(socket)).toEqual([[FOREIGN]]);
    const second = await user.tiphys(["controller", "--release", "--in", "up"]);
    expect(second).toMatchObject({ code: 0, stdout: "no pod waits for us\n" });
  });

  test("is reached by a URL too, as any API server that asks for no login", async () => {
    const port = await onPort(socket);
    try {
      const other = await user.tiphys(["controller", "--release", "--api-server", port.url, "-n", "elsewhere"]);
      expect(other).toMatchObject({ code: 0, stdout: "no pod waits for us\n" });
      const freed = await user.tiphys(["controller", "--release", "--api-server", `${port.url}/`]);
      expect(freed).toMatchObject({ code: 0, stderr: "" });
      expect(freed.stdout).toBe(
        "pod default/long freed (Running: it can go before its outcome is saved)\n1 pod freed\n",
      );
    } finally {
      port.close();
    }
    expect(await finalizers(socket)).toEqual([undefined]);
  });
});

test("a place that nobody owns is freed too, and nothing in it begins to work", async () => {
  const run = user.start(["run", "long.yaml", "--runtime", "host", ...user.traced]);
  await run.printed(/begun/);
  run.child.kill("SIGKILL");
  await run.ended;
  const freed = await user.tiphys(["controller", "--release"]);
  expect(freed).toMatchObject({ code: 0, stderr: "" });
  expect(freed.stdout).toMatch(/^pod default\/long freed \(Running: .*\)\n1 pod freed\n$/);
  expect(await user.tiphys(["controller", "--release"])).toMatchObject({ code: 0, stdout: "no pod waits for us\n" });
});

test("what it cannot do, it says", async () => {
  const refusals: readonly (readonly [readonly string[], number, string])[] = [
    [[], 3, "a controller of its own is not there yet"],
    [["--release", "here"], 2, "too many arguments"],
    [["--release", "--in", "nowhere"], 1, 'no place "nowhere"'],
    [["--release", "--in", "up", "--api-server", "http://127.0.0.1:1"], 2, "leave one out"],
    [["--release", "--api-server", "https://127.0.0.1:6443"], 2, "is no URL of an API server without a login"],
    [["--release", "--api-server", "127.0.0.1"], 2, "is no URL of an API server without a login"],
    [["--release", "--api-server", "http://127.0.0.1:1"], 3, "no answer from http://127.0.0.1:1"],
    [["--release", "--kubeconfig", "config"], 3, "--kubeconfig names a cluster"],
  ];
  for (const [args, code, message] of refusals) {
    const ended = await user.tiphys(["controller", ...args]);
    expect(ended, args.join(" ")).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(`error: ${message.startsWith("is no") ? "--api-server:" : ""}`);
    expect(ended.stderr).toContain(message);
  }
  expect(await user.tiphys(["controller", "--release"])).toMatchObject({ code: 0, stdout: "no pod waits for us\n" });
});
