/** Which runtime runs the steps, and why: decided once, before the first step, from what was found on this machine. */

import type { Position, Problem } from "../../core/std/problem.js";
import type { ContainerProbe, Isolation, IsolationProbe, ProgramProbe, RuntimeName } from "../ports.js";

/** An image of the workflow, and what this machine has for it. */
export interface ImageFact {
  readonly image: string;
  readonly position: Position | undefined;
  readonly template: string;
  readonly isBase: boolean;
  /** The program that would run instead of the image; null when PATH has none. */
  readonly program: ProgramProbe | null;
  /** What was looked for. */
  readonly wanted: readonly string[];
}

export interface RuntimeFacts {
  readonly requested: "auto" | RuntimeName;
  /** Undefined: as good as it gets. */
  readonly isolation: Isolation | undefined;
  readonly platform: string;
  readonly docker: ContainerProbe | undefined;
  readonly podman: ContainerProbe | undefined;
  /** Undefined when it was not needed to ask. */
  readonly found: IsolationProbe | undefined;
  readonly images: readonly ImageFact[];
  /** The file came from an address: its steps may not touch this machine unless asked to. */
  readonly fromUrl: boolean;
}

export type RuntimeDecision =
  | {
      readonly kind: "use";
      readonly runtime: RuntimeName;
      readonly isolation: Isolation;
      /** `docker 27.1`, `host, full isolation`: for the tree's header. */
      readonly label: string;
      /** Why, in one line. */
      readonly reason: string;
      /** What the user should know besides. */
      readonly notices: readonly string[];
    }
  | { readonly kind: "none"; readonly problems: readonly Problem[] };

export function chooseRuntime(facts: RuntimeFacts): RuntimeDecision {
  if (facts.platform === "win32") return refusal("Windows itself cannot run steps", "run tiphys inside WSL 2");
  switch (facts.requested) {
    case "scripted":
      return use({ runtime: "scripted", label: "scripted", reason: "asked for; no process is started" });
    case "docker":
    case "podman":
      return named(facts, facts.requested);
    case "host":
      return host(facts, "asked for");
    case "auto":
      return auto(facts);
  }
}

type Use = Extract<RuntimeDecision, { readonly kind: "use" }>;

function use(choice: Partial<Use> & Pick<Use, "runtime" | "label" | "reason">): RuntimeDecision {
  return { kind: "use", isolation: "full", notices: [], ...choice };
}

function named(facts: RuntimeFacts, runtime: "docker" | "podman"): RuntimeDecision {
  const probe = facts[runtime];
  if (probe?.state === "ready") return container(runtime, probe.version, "asked for");
  if (probe?.state === "remote") return container(runtime, `at ${probe.address}`, "asked for");
  const why =
    probe?.state === "absent" || probe?.state === "refused" ? probe.reason : "its socket accepts, and nothing answers";
  const remedy = probe?.state === "refused" ? `mend that (${runtime} info may say more)` : `start ${runtime}`;
  return refusal(`${runtime} cannot be used: ${why}`, `${remedy}, or leave --runtime ${runtime} out`);
}

function container(runtime: "docker" | "podman", version: string, reason: string): RuntimeDecision {
  return use({ runtime, label: `${runtime} ${version}`.trim(), reason });
}

function auto(facts: RuntimeFacts): RuntimeDecision {
  if (facts.docker?.state === "ready") return container("docker", facts.docker.version, "its socket answered");
  if (facts.podman?.state === "ready") return container("podman", facts.podman.version, "it runs containers here");
  const strange = facts.images.filter((image) => !image.isBase || image.program === null);
  if (strange.length > 0) return { kind: "none", problems: strange.map((image) => noRuntime(image, facts)) };
  if (facts.fromUrl && isolationOf(facts) !== "full") {
    const message = `this file came from an address, and ${facts.found?.reason || "steps cannot be kept apart from this machine"}`;
    return refusal(message, "read it first, then: --runtime host");
  }
  const troubles = { ...facts, docker: inBrief(facts.docker), podman: inBrief(facts.podman) };
  return host(facts, `${withoutContainers(troubles)}, all images are base images`);
}

const BRIEF_CHARS = 90;

/** Programs complain in chains, of which the first and the last link say most; who names the runtime hears all of it. */
function inBrief(probe: ContainerProbe | undefined): ContainerProbe | undefined {
  if (probe?.state !== "refused" || probe.reason.length <= BRIEF_CHARS) return probe;
  const links = probe.reason.split(": ");
  const brief = links.length < 3 ? probe.reason : `${links[0]}: …: ${links.at(-1)}`;
  return { ...probe, reason: brief.length <= BRIEF_CHARS ? brief : `${brief.slice(0, BRIEF_CHARS - 1)}…` };
}

function host(facts: RuntimeFacts, reason: string): RuntimeDecision {
  const isolation = isolationOf(facts);
  const better = facts.isolation !== undefined && rank(facts.isolation) > rank(facts.found?.isolation ?? "plain");
  if (better) {
    const why = facts.found?.reason || "this machine does not allow it";
    return refusal(
      `--isolation ${facts.isolation} is not possible: ${why}`,
      `leave it out: ${facts.found?.isolation ?? "plain"} is`,
    );
  }
  const label = isolation === "full" ? "host" : `host, ${isolation} isolation`;
  return use({ runtime: "host", isolation, label, reason, notices: hostNotices(facts, isolation) });
}

function isolationOf(facts: RuntimeFacts): Isolation {
  return facts.isolation ?? facts.found?.isolation ?? "plain";
}

function rank(isolation: Isolation): number {
  return { full: 2, "no-proc": 1, plain: 0 }[isolation];
}

function hostNotices({ found, isolation: asked }: RuntimeFacts, isolation: Isolation): readonly string[] {
  const why = asked === isolation ? "asked for" : (found?.reason ?? "");
  if (isolation === "full") return [];
  const what = isolation === "plain" ? "steps can read and write your files" : "steps can see this machine's processes";
  return [why === "" ? `isolation ${isolation}: ${what}` : `isolation ${isolation}: ${what} (${why})`];
}

/** `no docker or podman socket`, or what is the matter with those that are there. */
function withoutContainers(facts: RuntimeFacts): string {
  const troubles = containerPrograms.flatMap((name) => troubleOf(name, facts[name]));
  return troubles.length === 0 ? "no docker or podman socket" : troubles.join("; ");
}

const containerPrograms = ["docker", "podman"] as const;

function troubleOf(name: "docker" | "podman", probe: ContainerProbe | undefined): readonly string[] {
  switch (probe?.state) {
    case "silent":
      return [`${name} did not answer`];
    case "refused":
      return [`${name} cannot be used: ${probe.reason}`];
    case "remote":
      return [`${name} is elsewhere (${probe.address}), used only with --runtime ${name}`];
    default:
      return [];
  }
}

/** What gives this machine containers. */
function remedyOf(facts: RuntimeFacts): string {
  const broken = containerPrograms.find((name) => facts[name]?.state === "refused");
  if (broken === undefined) return "start Docker";
  const mend = `mend ${broken} (${broken} info may say more; --runtime ${broken} tries it anew)`;
  return broken === "docker" ? mend : `${mend}, or start Docker`;
}

function noRuntime(image: ImageFact, facts: RuntimeFacts): Problem {
  const { program, wanted } = image;
  const instead =
    program === null
      ? wanted.length === 0
        ? "host has nothing to run instead"
        : `host would need ${wanted.join(" or ")}, which is not on PATH`
      : `host would use this machine's ${`${program.name} ${program.version}`.trim()} instead`;
  const remedy = remedyOf(facts);
  const ways =
    program === null
      ? `${remedy}, or leave the step out: --stub ${image.template}`
      : `${remedy}, or accept that: --runtime host, or leave the step out: --stub ${image.template}`;
  return {
    code: "no-runtime",
    severity: "error",
    path: "",
    message: `nothing here can run image ${image.image}`,
    hint: `${withoutContainers(facts)}; ${instead}\n${ways}`,
    ...(image.position === undefined ? {} : { position: image.position }),
  };
}

function refusal(message: string, hint: string): RuntimeDecision {
  return { kind: "none", problems: [{ code: "no-runtime", severity: "error", path: "", message, hint }] };
}
