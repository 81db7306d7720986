import { expect, test } from "vitest";
import type { PendingRequest } from "../host/helper-client.js";
import { Cli, type CommandStarter, type ContainerRequestBody } from "./cli.js";
import { checkedImage, fullName, registryOf } from "./image-name.js";
import { Images } from "./images.js";
import { containerPrograms } from "./program.js";
import { pullMessage } from "./pull-errors.js";
import { PullProgress } from "./pull-progress.js";

test.each([
  ["busybox", "docker.io", "docker.io/library/busybox"],
  ["team/app:1", "docker.io", "docker.io/team/app:1"],
  ["localhost/app", "localhost", "localhost/app"],
  ["registry.corp:5000/a/b@sha256:0123456789abcdef0123456789abcdef", "registry.corp:5000", undefined],
  ["127.0.0.1:9/x:1", "127.0.0.1:9", undefined],
  ["a.b/c__d-e", "a.b", undefined],
])("%s is an image in %s", (image, registry, full) => {
  expect(checkedImage(image)).toEqual({ ok: true, value: image });
  expect(registryOf(image)).toBe(registry);
  expect(fullName(image)).toBe(full ?? image);
});

test.each(["", "-v", "--privileged", "A", "a b", "a:", "a/", "/a", "a:tag:tag", "a@sha256:1", "x".repeat(600), "a\nb"])(
  "%j is none",
  (image) => {
    expect(checkedImage(image).ok).toBe(false);
  },
);

test.each([
  [["1.2: Pulling from team/app", "0123456789ab: Pulling fs layer"], "pulling 0 %"],
  [
    ["0123456789ab: Pulling fs layer", "ba9876543210: Pulling fs layer", "0123456789ab: Download complete"],
    "pulling 35 %",
  ],
  [
    ["0123456789ab: Already exists", "ba9876543210: Waiting", "ba9876543210: Pull complete", "Digest: sha256:1"],
    "pulling 100 %",
  ],
  [["0123456789ab: Pull complete", "0123456789ab: Waiting"], "pulling 100 %"],
  [["Trying to pull docker.io/library/alpine...", "Getting image source signatures"], "pulling"],
  [["Copying blob sha256:0123456789abcdef", "Copying config sha256:ba98"], "pulling 1 layer"],
  [["Copying blob 0123456789ab done", "Copying blob ba9876543210 done"], "pulling 2 layers"],
])("%j: %s", (lines, text) => {
  const progress = new PullProgress();
  for (const line of lines) progress.add(line);
  expect(progress.text).toBe(text);
});

test("who wants an image just when the last one gave up its pull gets a pull of its own", async () => {
  const pulls: ((exitCode: number) => void)[] = [];
  const reply = { stdout: "", stderr: "Error: context canceled", timedOut: false };
  const program: CommandStarter = {
    begin<T>(body: ContainerRequestBody): PendingRequest<T> {
      const isPull = body.op === "command" && body.argv.includes("pull");
      const isHere = pulls.length === 2 && !isPull;
      const stdout = JSON.stringify([{ Id: "sha256:1", Os: "linux", Architecture: "amd64" }]);
      const answer = isPull
        ? new Promise((resolve) => pulls.push((exitCode) => resolve({ ...reply, exitCode })))
        : Promise.resolve({ ...reply, stdout, exitCode: isHere ? 0 : 1 });
      return { reply: answer as Promise<T>, cancel: () => undefined };
    },
  };
  const cli = new Cli({ program: containerPrograms.docker, file: "docker", env: {}, starter: () => program });
  const images = new Images({ cli, pull: "missing", platform: undefined });
  const pulling = async (count: number): Promise<void> => {
    while (pulls.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const leaving = new AbortController();
  const first = images.get("a/b:1", () => undefined, leaving.signal);
  await pulling(1);
  leaving.abort();
  const second = images.get("a/b:1", () => undefined, new AbortController().signal);
  await pulling(2);
  // The program takes its time to end.
  pulls[0]?.(130);
  expect(await first).toMatchObject({ kind: "missing" });
  expect(images.failure("a/b:1")).toBeUndefined();
  pulls[1]?.(0);
  expect(await second).toMatchObject({ kind: "ready" });
});

test.each([
  ["registry.corp/ci:1.4", "unauthorized: authentication required", "401, no login: docker login registry.corp"],
  [
    "registry.corp/ci:1.4",
    "received unexpected HTTP status: 401 Unauthorized",
    "401, no login: docker login registry.corp",
  ],
  ["registry.corp/ci:1.4", "requesting 403 Forbidden", "403, this login may not read it: docker login registry.corp"],
  [
    "team/nope",
    "pull access denied for team/nope, repository does not exist or may require 'docker login'",
    "there is no such image in docker.io, or it needs a login: docker login",
  ],
  ["registry.corp/ci:9", "manifest for registry.corp/ci:9 not found: manifest unknown", "not found in registry.corp"],
  [
    "busybox",
    "toomanyrequests: You have reached your pull rate limit",
    "429, docker.io allows no more pulls for now: docker login",
  ],
  [
    "registry.corp/ci:1",
    'Get "https://registry.corp/v2/": dial tcp: lookup registry.corp: no such host',
    "registry.corp cannot be reached (no such host)",
  ],
  [
    "busybox",
    "no matching manifest for linux/riscv64 in the manifest list entries",
    "not made for this platform (no matching manifest for linux/riscv64 in the manifest list entries): try --platform",
  ],
  ["busybox", "write /x: no space left on device", "no space left on the disk that keeps images"],
  ["10.0.0.1:429/team-401/x", "10.0.0.1:429/team-401/x: manifest unknown", "not found in 10.0.0.1:429"],
  ["busybox", "something else", "something else"],
])("%s: %s", (image, complaint, message) => {
  expect(pullMessage("docker", image, complaint)).toBe(`${image}: ${message}`);
});
