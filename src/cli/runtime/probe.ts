/** Asks this machine what it can do, no more than the choice of a runtime needs. */

import type { ImageUse } from "../load/references.js";
import type { ContainerProbe, ImageEntry, Isolation, Probe, RuntimeName } from "../ports.js";
import { repositoryOf, standIns } from "./base-images.js";
import type { ImageFact, RuntimeFacts } from "./choose.js";

/** A sleeping Docker Desktop takes its time to wake. */
const WAKE_MS = 20_000;
const QUICK_MS = 1_500;

export interface ProbeRequest {
  readonly requested: "auto" | RuntimeName;
  readonly isolation: Isolation | undefined;
  readonly platform: string;
  readonly images: readonly ImageUse[];
  readonly table: Readonly<Record<string, ImageEntry>>;
  readonly fromUrl: boolean;
  /** Says on the terminal what is waited for. */
  readonly waiting: (text: string) => void;
}

export async function probeMachine(probe: Probe, request: ProbeRequest): Promise<RuntimeFacts> {
  const { requested, isolation, platform, fromUrl } = request;
  const base = { requested, isolation, platform, fromUrl, docker: undefined, podman: undefined, found: undefined };
  const none: RuntimeFacts = { ...base, images: [] };
  if (platform === "win32" || requested === "scripted") return none;
  if (requested === "docker" || requested === "podman") {
    return { ...none, [requested]: await patiently(probe, requested, request) };
  }
  if (requested === "host") return { ...none, found: await probe.isolation() };
  const docker = await patiently(probe, "docker", request);
  if (docker.state === "ready") return { ...none, docker };
  const podman = await patiently(probe, "podman", request);
  if (podman.state === "ready") return { ...none, docker, podman };
  const [found, images] = await Promise.all([probe.isolation(), imageFacts(probe, request)]);
  return { ...base, docker, podman, found, images };
}

async function patiently(probe: Probe, runtime: "docker" | "podman", request: ProbeRequest): Promise<ContainerProbe> {
  const failures = request.requested === runtime ? "tried again" : "remembered";
  const quick = await probe.container(runtime, { timeoutMs: QUICK_MS, failures });
  if (quick.state !== "silent") return quick;
  request.waiting(`${runtime} is there and does not answer: waiting up to ${WAKE_MS / 1000} s for it to wake`);
  return probe.container(runtime, { timeoutMs: WAKE_MS, failures });
}

/** One fact for each image; the position is that of its first use. */
async function imageFacts(probe: Probe, { images, table }: ProbeRequest): Promise<readonly ImageFact[]> {
  const first = new Map<string, ImageUse>();
  for (const use of images) if (!first.has(use.image)) first.set(use.image, use);
  return Promise.all(
    [...first.values()].map(async (use): Promise<ImageFact> => {
      const programs = standIns(use.image, table);
      const wanted = programs ?? (use.program === undefined ? [nameOf(use.image)] : [use.program]);
      const isBase = programs !== undefined || use.image.includes("{{");
      const program = use.image.includes("{{") ? KNOWN_LATE : await probe.program(wanted);
      return { image: use.image, position: use.position, template: use.template, isBase, program, wanted };
    }),
  );
}

/** An image whose name is only known later: its pod fails with the same text if nothing can run it. */
const KNOWN_LATE = { name: "", path: "", version: "" } as const;

function nameOf(image: string): string {
  return repositoryOf(image).split("/").at(-1) ?? image;
}
