import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ApiError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello, oneStep } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";
import { readIndex } from "../places/files.js";
import { PlaceError } from "../ports.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test.each<[string, string, readonly string[], RegExp]>([
  ["is asked for its workflows", "list", ["list", "-o", "name"], /^hello\n$/],
  ["is asked for one", "get", ["list", "-o", "yaml"], /name: hello/],
])("a place that fails when it %s is told, and the others are listed", async (_, failing, argv, said) => {
  const { cwd, host, folder, mend } = await oneOfTwoFails(failing);
  const asked = fakePorts({ cwd, host });
  expect(await main(argv, asked)).toBe(1);
  expect(asked.stdout.text).toMatch(said);
  expect(asked.stderr.text).toBe(`warning: what is in ${folder} is left out: the store is broken\n`);
  const alone = fakePorts({ cwd, host });
  expect(await main([...argv, "--in", folder], alone)).toBe(1);
  expect(alone.stderr.text).toBe("error: the store is broken\n");
  await mend();
});

test("what is asked of all places is no success where one could not be read; it is told once", async () => {
  const { cwd, host, folder, mend } = await oneOfTwoFails("list");
  const warning = `warning: what is in ${folder} is left out: the store is broken\n`;
  const say = async (...argv: readonly string[]) => {
    const ports = fakePorts({ cwd, host });
    return { code: await main(argv, ports), out: ports.stdout.text, err: ports.stderr.text };
  };
  expect((await say("get", "hello", "hello", "@latest", "-o", "name")).err).toBe(warning);
  expect(await say("stop", "-l", "none=such")).toEqual({ code: 1, out: "", err: warning });
  expect(await say("delete", "other")).toEqual({ code: 1, out: "Workflow 'other' not found\n", err: warning });
  const deleted = "Workflow 'hello' deleted (dry-run)\n";
  expect(await say("delete", "hello", "--dry-run")).toEqual({ code: 0, out: deleted, err: warning });
  expect(await say("delete", "--all", "--dry-run")).toEqual({ code: 1, out: deleted, err: warning });
  await mend();
});

test("a place whose owner does not answer keeps nobody from the others, and what it last wrote is shown", async () => {
  const { cwd, host, folder, mend } = await oneOfTwoFails("nothing");
  while ((await readIndex(folder))?.workflows.length !== 1) await new Promise((resolve) => setImmediate(resolve));
  const asked: string[] = [];
  const { connect } = host;
  const message = `the process that owns the place ${folder} does not answer`;
  host.connect = (place) => {
    asked.push(place);
    return Promise.reject(new PlaceError("silent", message, "fg"));
  };
  const say = async (...argv: readonly string[]) => {
    asked.length = 0;
    const ports = fakePorts({ cwd, host });
    return { code: await main(argv, ports), out: ports.stdout.text, err: ports.stderr.text, asked: [...asked] };
  };
  const warning = `warning: ${message}: all that is known of it is what it last wrote\n`;
  const error = (name: string): string => `error: ${name}: ${message}\n  fg\n`;
  const list = await say("list");
  expect(list).toEqual({ code: 1, out: expect.any(String), err: warning, asked: [folder] });
  expect(list.out).toMatch(/^hello +Unknown .* its process does not answer$/m);
  expect(list.out).toMatch(/^hello +Succeeded /m);
  // Each place is asked once, however many names there are.
  expect(await say("get", "@latest", "hello", "-o", "name")).toEqual({
    code: 4,
    out: "",
    err: warning + error("hello").repeat(2),
    asked: [folder],
  });
  expect(await say("wait", "@latest")).toMatchObject({ code: 4, out: "", err: warning + error("hello") });
  expect(await say("stop", "-l", "none=such")).toMatchObject({ code: 1, err: warning });
  host.connect = connect;
  await mend();
});

test("a phase that there is not is named, with those that there are", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  const say = async (...argv: readonly string[]) => {
    const ports = fakePorts({ cwd, host: new FakePlaces() });
    return { code: await main(argv, ports), err: ports.stderr.text };
  };
  const known = "known are Pending, Running, Succeeded, Failed, Error";
  const error = `error: --status: there is no phase "Nope"\n  ${known}\n`;
  expect(await say("list", "--status", "Failed,Nope")).toEqual({ code: 2, err: error });
  expect(await say("delete", "--status", "Nope")).toEqual({ code: 2, err: error });
  expect((await say("list", "--status", "failed")).err).toContain('did you mean "Failed"?');
  expect((await say("get", "x", "--status", "Omited")).err).toContain('did you mean "Omitted"?');
});

/** Two runs: one has ended, the place of the other fails at that verb. */
async function oneOfTwoFails(failing: string) {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  host.controller = oneStep("hi\n", 0);
  expect(await main(["run", "hello.yaml", "-q"], fakePorts({ cwd, host }))).toBe(0);
  const created = new Promise<void>((resolve) => {
    host.controller = () => resolve();
  });
  const running = fakePorts({ cwd, host, seed: 8 });
  const ended = main(["run", "hello.yaml", "-q"], running);
  await created;
  await running.clock.advance(1000);
  const [folder, living] = [...host.places].at(-1) ?? ["", host.only];
  living.cluster.fault = (verb) => {
    if (verb === failing) throw new ApiError(500, "InternalError", "the store is broken");
  };
  const mend = async (): Promise<void> => {
    living.cluster.fault = () => undefined;
    for (let signal = 0; signal < 3; signal++) {
      await running.clock.advance(300);
      running.send("SIGINT");
    }
    await ended;
  };
  return { cwd, host, folder, mend };
}
