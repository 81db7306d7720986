import { expect, test } from "vitest";
import { repositoryOf, standIns } from "./base-images.js";
import { chooseRuntime, type ImageFact, type RuntimeFacts } from "./choose.js";

const absent = { state: "absent", reason: "no docker program" } as const;
const ready = { state: "ready", version: "27.1" } as const;
const python = { name: "python3", path: "/usr/bin/python3", version: "3.11" };

const base: RuntimeFacts = {
  requested: "auto",
  isolation: undefined,
  platform: "linux",
  docker: absent,
  podman: absent,
  found: { isolation: "full", reason: "" },
  images: [],
  fromUrl: false,
};

function image(name: string, more: Partial<ImageFact> = {}): ImageFact {
  return {
    image: name,
    position: undefined,
    template: "unit",
    isBase: true,
    program: python,
    wanted: ["python3"],
    ...more,
  };
}

function told(facts: Partial<RuntimeFacts>): string {
  const decision = chooseRuntime({ ...base, ...facts });
  if (decision.kind === "use") return [decision.label, decision.reason, ...decision.notices].join(" | ");
  return decision.problems.map((problem) => `${problem.message}\n${problem.hint ?? ""}`).join("\n");
}

const plain = { isolation: "plain", reason: "user namespaces are switched off" } as const;

test.each<[string, Partial<RuntimeFacts>, string]>([
  ["docker first", { docker: ready, podman: ready }, "docker 27.1 | its socket answered"],
  ["then podman", { podman: { state: "ready", version: "5.0" } }, "podman 5.0 | it runs containers here"],
  [
    "then host, if all images are base images",
    { images: [image("python:3.11")] },
    "host | no docker or podman socket, all images are base images",
  ],
  [
    "less than full isolation is said",
    { found: plain },
    "host, plain isolation | no docker or podman socket, all images are base images | isolation plain: steps can read and write your files (user namespaces are switched off)",
  ],
  [
    "nothing can run it",
    { images: [image("registry.corp/ci:1.4", { isBase: false })] },
    "nothing here can run image registry.corp/ci:1.4\nno docker or podman socket; host would use this machine's python3 3.11 instead\nstart Docker, or accept that: --runtime host, or leave the step out: --stub unit",
  ],
  [
    "a base image without its program",
    { images: [image("golang", { program: null, wanted: ["go"] })] },
    "nothing here can run image golang\nno docker or podman socket; host would need go, which is not on PATH\nstart Docker, or leave the step out: --stub unit",
  ],
  [
    "a remote daemon is for those who name it",
    { docker: { state: "remote", address: "tcp://build:2375" }, images: [image("x", { isBase: false })] },
    "nothing here can run image x\ndocker is elsewhere (tcp://build:2375), used only with --runtime docker; host would use this machine's python3 3.11 instead\nstart Docker, or accept that: --runtime host, or leave the step out: --stub unit",
  ],
  [
    "a remote daemon, named",
    { requested: "docker", docker: { state: "remote", address: "tcp://build:2375" } },
    "docker at tcp://build:2375 | asked for",
  ],
  [
    "docker asked for, absent",
    { requested: "docker" },
    "docker cannot be used: no docker program\nstart docker, or leave --runtime docker out",
  ],
  [
    "a silent podman",
    { requested: "podman", podman: { state: "silent" } },
    "podman cannot be used: its socket accepts, and nothing answers\nstart podman, or leave --runtime podman out",
  ],
  [
    "a docker that is not for this user",
    { docker: { state: "refused", reason: "no permission for /var/run/docker.sock" } },
    "host | docker cannot be used: no permission for /var/run/docker.sock, all images are base images",
  ],
  [
    "a podman that is there and cannot run",
    { podman: { state: "refused", reason: "/usr/bin/podman version: toml: line 1" } },
    "host | podman cannot be used: /usr/bin/podman version: toml: line 1, all images are base images",
  ],
  [
    "a podman that complains at length",
    {
      podman: {
        state: "refused",
        reason:
          "/usr/bin/podman cannot run a container: podman run: runc: runc create failed: unable to start container process: operation not permitted",
      },
    },
    "host | podman cannot be used: /usr/bin/podman cannot run a container: …: operation not permitted, all images are base images",
  ],
  [
    "a podman that is there and cannot run, and nothing else",
    {
      docker: { state: "silent" },
      podman: { state: "refused", reason: "/usr/bin/podman cannot run a container: no crun" },
      images: [image("x", { isBase: false })],
    },
    "nothing here can run image x\ndocker did not answer; podman cannot be used: /usr/bin/podman cannot run a container: no crun; host would use this machine's python3 3.11 instead\nmend podman (podman info may say more; --runtime podman tries it anew), or start Docker, or accept that: --runtime host, or leave the step out: --stub unit",
  ],
  [
    "a podman that is there and cannot run, asked for",
    { requested: "podman", podman: { state: "refused", reason: "/usr/bin/podman version: toml: line 1" } },
    "podman cannot be used: /usr/bin/podman version: toml: line 1\nmend that (podman info may say more), or leave --runtime podman out",
  ],
  [
    "a podman elsewhere",
    { podman: { state: "remote", address: "ssh://there" } },
    "host | podman is elsewhere (ssh://there), used only with --runtime podman, all images are base images",
  ],
  ["host asked for skips the test of images", { requested: "host", images: [] }, "host | asked for"],
  [
    "an address on a machine without full isolation",
    { fromUrl: true, found: plain },
    "this file came from an address, and user namespaces are switched off\nread it first, then: --runtime host",
  ],
  [
    "an address with full isolation",
    { fromUrl: true },
    "host | no docker or podman socket, all images are base images",
  ],
  [
    "more isolation than there is",
    { requested: "host", isolation: "full", found: plain },
    "--isolation full is not possible: user namespaces are switched off\nleave it out: plain is",
  ],
  [
    "less isolation than there is",
    { requested: "host", isolation: "plain" },
    "host, plain isolation | asked for | isolation plain: steps can read and write your files (asked for)",
  ],
  ["scripted", { requested: "scripted" }, "scripted | asked for; no process is started"],
  ["Windows", { platform: "win32" }, "Windows itself cannot run steps\nrun tiphys inside WSL 2"],
])("%s", (_, facts, expected) => {
  expect(told(facts)).toBe(expected);
});

test.each([
  ["docker.io/library/alpine:3.20", "alpine"],
  ["python@sha256:abc", "python"],
  ["localhost:5000/python:3", "localhost:5000/python"],
  ["registry.corp/python:3", "registry.corp/python"],
  ["curlimages/curl", "curlimages/curl"],
])("%s is %s", (name, repository) => {
  expect(repositoryOf(name)).toBe(repository);
});

test("the images table adds to the base images", () => {
  const table = { "argoproj/argosay:v2": { entrypoint: ["argosay"] }, "corp/job": { cmd: ["job", "-x"] } };
  expect(standIns("argoproj/argosay:v2", table)).toEqual(["argosay"]);
  expect(standIns("corp/job:1", table)).toEqual(["job"]);
  expect(standIns("registry.corp/python:3", table)).toBeUndefined();
});
