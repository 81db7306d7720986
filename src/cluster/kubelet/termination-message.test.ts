import { expect, test } from "vitest";
import type { Container, PodSpec } from "../../core/model/kube/pod.js";
import { scriptedNode } from "./testing/scripted-node.js";

const lines = (count: number, line = "line") => Array.from({ length: count }, (_, index) => `${line} ${index}`);

/** What the status of a pod says of its container main when it has ended. */
async function messageOf(outcome: unknown, main: Partial<Container> = {}, spec: Partial<PodSpec> = {}) {
  const node = await scriptedNode([outcome]);
  await node.create("a", { containers: [{ name: "main", image: "i", ...main }], ...spec });
  await node.clock.advance(10_000);
  const { initContainerStatuses = [], containerStatuses = [] } = (await node.read("a")).status ?? {};
  await node.close();
  const all = [...initContainerStatuses, ...containerStatuses];
  return all.find(({ name }) => name === "main")?.state?.terminated?.message;
}

const file = (content: string, path = "/dev/termination-log") => ({ exitCode: 1, files: { [path]: content } });
const begin = "begin:";
const end = ":end";

test.each<[string, unknown, Partial<Container>, string | undefined]>([
  ["a short file is said whole", file("why\n"), {}, "why\n"],
  ["of a long one the end counts", file(begin + "x".repeat(5000) + end), {}, "x".repeat(4092) + end],
  ["no character is cut in two", file(`${"é".repeat(3000)}x`), {}, `${"é".repeat(2047)}x`],
  ["an empty path is the usual one", file("why"), { terminationMessagePath: "" }, "why"],
  ["a path of its own", file("why", "/own"), { terminationMessagePath: "/own" }, "why"],
  ["a file that is empty says nothing", file(""), {}, undefined],
  ["nor does a log that nobody asked for", { exitCode: 1, stdout: ["why"] }, {}, undefined],
])("a termination message: %s", async (_name, outcome, main, expected) => {
  expect(await messageOf(outcome, main)).toBe(expected);
});

test.each<[string, unknown, string | undefined]>([
  ["the log of a failure", { exitCode: 1, stdout: ["one", "two"] }, "one\ntwo\n"],
  ["its last 80 lines", { exitCode: 1, stdout: lines(200) }, `${lines(200).slice(-80).join("\n")}\n`],
  ["its last 2048 bytes", { exitCode: 1, stdout: [begin + "x".repeat(3000) + end] }, `${"x".repeat(2043)}${end}\n`],
  ["not where all went well", { exitCode: 0, stdout: ["one"] }, undefined],
  ["the file comes first", { ...file("file"), stdout: ["log"] }, "file"],
])("a termination message that falls back to the log: %s", async (_name, outcome, expected) => {
  expect(await messageOf(outcome, { terminationMessagePolicy: "FallbackToLogsOnError" })).toBe(expected);
});

test.each([
  [1, 4096],
  [3, 4096],
  [4, 3072],
  [12, 1024],
])("of %i containers each may say %i bytes, of what they say the beginning", async (count, bytes) => {
  const others = lines(count - 1, "other").map((name) => ({ name: name.replace(" ", "-"), image: "i" }));
  const containers = [{ name: "main", image: "i" }, ...others.slice(1)];
  const spec = { containers, initContainers: others.slice(0, 1) };
  // Odd: each limit but the first is in the middle of a character.
  const content = `:${"é".repeat(2046)}`;
  const outcome = { files: { "/dev/termination-log": content } };
  expect(await messageOf(outcome, {}, spec)).toBe(
    Buffer.from(content).subarray(0, bytes).toString().replace("\uFFFD", ""),
  );
});
