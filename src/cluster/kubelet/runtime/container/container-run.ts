/** One run of a container: made, put on record, started, followed to its end. */

import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pod } from "../../../../core/model/kube/pod.js";
import type { ExitRecord } from "../../pod-state.js";
import { messagePathOf } from "../../termination-message.js";
import { LOG_SEGMENT_PREFIX } from "../host/log-writer.js";
import { START_RECORD } from "../host/protocol.js";
import { readRecords, writeExitRecord, writeStartRecord } from "../host/records.js";
import { lostExit } from "../lost.js";
import type { ContainerSetup, Mount, StartResult } from "../port.js";
import { CommandError, complaintOf } from "./cli.js";
import type { ContainerContext } from "./context.js";
import { type ContainerDetails, containerDetails } from "./details.js";
import { commandFaultText, isCommandFault, isInitFault, isWorkingDirFault, startError } from "./failed-start.js";
import { rootRefusal } from "./flags/security.js";
import type { ReadyImage } from "./images.js";
import { type ContainerFacts, parseContainers } from "./inspect.js";
import { withPlainPath } from "./plain-path.js";
import { type ContainerPlan, planContainer } from "./plan-container.js";
import { isNetworkFault, type PodNetwork } from "./pod-network.js";
import type { CommandReply } from "./protocol.js";
import { removeContainers } from "./remove-containers.js";

export interface RunInput {
  readonly context: ContainerContext;
  readonly pod: Pod;
  readonly network: PodNetwork;
  readonly setup: ContainerSetup;
  /** Of this run: records and log. */
  readonly folder: string;
}

export interface BegunRun {
  readonly kind: "begun";
  readonly startedAt: number;
  readonly details: ContainerDetails;
}

export type RunStart = BegunRun | Exclude<StartResult, { kind: "started" }>;

/** How often a container is made anew because this machine lacks something. */
const MAX_TRIES = 4;

/** Rejects when the program cannot be run at all; called again, it finds what it began. */
export async function beginRun(input: RunInput): Promise<RunStart> {
  const { context, pod, setup } = input;
  const before = await begunBefore(input);
  if (before !== undefined) return before;
  const { container } = setup;
  const said = (message: string): void => setup.waiting("ContainerCreating", message);
  const failed = context.images.failure(container.image ?? "");
  if (failed !== undefined) setup.waiting(failed.reason, failed.message);
  const image = await context.images.get(container.image ?? "", said, setup.signal);
  if (image.kind === "missing") return waiting(image.reason, image.message);
  const refusal = rootRefusal(pod.spec, container, image.facts.user);
  if (refusal !== undefined) return waiting("CreateContainerConfigError", refusal);
  await mkdir(input.folder, { recursive: true, mode: 0o700 });
  const mounts = [await messageMount(input)];
  for (let tries = 1; ; tries++) {
    // The container's monitor opens its log when it starts, and holds it: the path is of no use later.
    const made = await withPlainPath(input.folder, (logFolder) => makeAndStart({ ...input, logFolder }, image, mounts));
    if (made.kind !== "again" || tries === MAX_TRIES) {
      return made.kind === "again" ? waiting("RunContainerError", made.complaint) : made;
    }
    if (made.mount !== undefined) mounts.push(made.mount);
  }
}

/** A run that is on record is never started again, whatever became of the attempt. */
async function begunBefore({ context, folder }: RunInput): Promise<RunStart | undefined> {
  const { start, exit } = readRecords(folder);
  if (start === undefined) return undefined;
  if (exit !== undefined) return { kind: "failed", exit };
  const details = containerDetails(start.details);
  const facts = details === undefined ? undefined : await inspectContainer(context, details.id);
  if (details !== undefined && facts !== undefined && facts.state !== "created") {
    return { kind: "begun", startedAt: start.startedAt, details };
  }
  if (details !== undefined) await removeContainers(context.cli, [details.id]);
  const lost = { ...lostExit, startedAt: start.startedAt, finishedAt: context.clock.now() };
  await writeExitRecord(folder, lost);
  return { kind: "failed", exit: lost };
}

function waiting(reason: string, message: string): Extract<RunStart, { kind: "waiting" }> {
  return { kind: "waiting", reason, message };
}

/** A file of this machine, so that it can be read without asking the program. */
async function messageMount({ setup, folder }: RunInput): Promise<Mount> {
  const source = join(folder, "termination-message");
  await writeFile(source, "", { mode: 0o666 });
  await chmod(source, 0o666);
  return { path: messagePathOf(setup.container), source, readOnly: false };
}

type Made =
  | RunStart
  /** It never ran, and may with what was learnt. */
  | { readonly kind: "again"; readonly complaint: string; readonly mount?: Mount };

/** `logFolder`: the run's folder, by a path that a container program can be told. */
type MakeInput = RunInput & { readonly logFolder: string };

async function makeAndStart(input: MakeInput, image: ReadyImage, mounts: readonly Mount[]): Promise<Made> {
  const { context, folder } = input;
  const plan = await planOf(input, image, mounts);
  const created = await createContainer(context, plan);
  if (created.kind !== "created") return created;
  if (context.closed.aborted) {
    await removeContainers(context.cli, [created.id]);
    return waiting("RunContainerError", "the runtime was closed");
  }
  const details: ContainerDetails = {
    program: context.cli.program.name,
    id: created.id,
    image: image.name,
    mounts: plan.mounts,
    flags: plan.sharedFlags,
    env: plan.env,
  };
  const startedAt = context.clock.now();
  await writeStartRecord(folder, { startedAt, details });
  const reply = await context.cli.ask(["start", created.id]);
  const begun: BegunRun = { kind: "begun", startedAt, details };
  return reply.exitCode === 0 ? begun : judgeStart(input, begun, reply);
}

async function planOf(input: MakeInput, image: ReadyImage, mounts: readonly Mount[]): Promise<ContainerPlan> {
  const { context, pod, network, setup, logFolder } = input;
  const isLimited = setup.container.resources?.limits?.["cpu"] !== undefined;
  const isChecked = isLimited && context.cli.program.checksCpus;
  const cpus = isChecked ? (await context.machine()).cpus : Number.POSITIVE_INFINITY;
  const logFile = join(logFolder, `${LOG_SEGMENT_PREFIX}0`);
  const plan = { context, pod, setup, image: image.name, network: await network.flags(), logFile, cpus, mounts };
  return planContainer(plan);
}

async function createContainer(
  context: ContainerContext,
  plan: ContainerPlan,
): Promise<Made | { readonly kind: "created"; readonly id: string }> {
  const { cli, abilities } = context;
  const create = (): Promise<CommandReply> => cli.ask(plan.args, { env: plan.env });
  let reply = await create();
  if (reply.exitCode !== 0 && /already in use/.test(reply.stderr)) {
    // Made by a process that died before it could put the run on record: it was never started.
    await removeContainers(cli, [plan.name]);
    reply = await create();
  }
  const id = reply.stdout.trim().split("\n").at(-1) ?? "";
  if (reply.exitCode === 0 && id !== "") return { kind: "created", id };
  const complaint = complaintOf(reply);
  if (abilities.init && isInitFault(reply.stderr)) {
    abilities.init = false;
    return { kind: "again", complaint };
  }
  return waiting("CreateContainerError", complaint);
}

/** The program said no; whether the container ran all the same is for `inspect` to say. */
async function judgeStart(input: RunInput, begun: BegunRun, reply: CommandReply): Promise<Made> {
  const { context, folder } = input;
  const facts = await inspectContainer(context, begun.details.id);
  if (facts !== undefined && facts.state !== "created") return begun;
  const complaint = complaintOf(reply);
  const again = await lessonOf(input, reply.stderr, complaint);
  if (again === undefined && isCommandFault(reply.stderr)) {
    const exit = startError(commandFaultText(complaint), context.clock.now());
    await writeExitRecord(folder, exit);
    // On record as over, it never runs; a later process removes it if this one cannot.
    await removeContainers(context.cli, [begun.details.id]).catch(() => undefined);
    return { kind: "failed", exit };
  }
  // First the container, so that it can never run; then its record.
  await removeContainers(context.cli, [begun.details.id]);
  await rm(join(folder, START_RECORD), { force: true });
  return again ?? waiting("RunContainerError", complaint);
}

async function lessonOf(input: RunInput, stderr: string, complaint: string): Promise<Made | undefined> {
  const { abilities } = input.context;
  if (abilities.init && isInitFault(stderr)) {
    abilities.init = false;
    return { kind: "again", complaint };
  }
  if (abilities.bridge && input.context.cli.program.bridgeFlags.length > 0 && isNetworkFault(stderr)) {
    abilities.bridge = false;
    return { kind: "again", complaint };
  }
  const { workingDir } = input.setup;
  if (workingDir === undefined || !isWorkingDirFault(stderr)) return undefined;
  const source = join(input.folder, "working-dir");
  await mkdir(source, { recursive: true });
  await chmod(source, 0o777);
  return { kind: "again", complaint, mount: { path: workingDir, source, readOnly: false } };
}

/** Undefined when there is no such container. Rejects with CommandError when the program does not answer. */
export async function inspectContainer(context: ContainerContext, id: string): Promise<ContainerFacts | undefined> {
  return (await inspectContainers(context, [id])).get(id);
}

export async function inspectContainers(
  context: ContainerContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContainerFacts>> {
  if (ids.length === 0) return new Map();
  const args = ["container", "inspect", ...ids];
  const reply = await context.cli.ask(args);
  const isAnswer = reply.exitCode === 0 || /no such (?:container|object)|no container with name/i.test(reply.stderr);
  if (!isAnswer) throw new CommandError(context.cli.program.name, args, reply);
  return new Map(parseContainers(reply.stdout).map((facts) => [facts.id, facts]));
}

/** The end of a run that nobody saw, from what the program remembers; undefined when it does not know it either. */
export function exitOfFacts(facts: ContainerFacts, startedAt: number, now: number): ExitRecord | undefined {
  // A container that ran when the machine went down has no time of its end. (Times are no measure: podman's end of a
  // short run may lie before its start.)
  const isKnown = facts.exitCode >= 0 && facts.finishedAt !== undefined;
  if (!isKnown) return undefined;
  const finishedAt = Math.max(startedAt, Math.min(now, facts.finishedAt ?? now));
  const reason = facts.oomKilled ? { reason: "OOMKilled" } : {};
  return { exitCode: facts.exitCode, startedAt, finishedAt, ...reason };
}
