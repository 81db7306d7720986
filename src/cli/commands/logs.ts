/** `tiphys logs` (Argo 4.1 behaviour 8.8). */

import type { Command } from "commander";
import { RE2JS } from "re2js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import { msOf, parseDuration } from "../../core/std/duration.js";
import { msOfRfc3339 } from "../../core/std/time.js";
import { matchesLabels, parseLabelSelector } from "../../kube/selectors.js";
import { type Context, notice } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { type OpenWorkflow, withWorkflow } from "../places/find.js";
import { allWorkflows, type Found, goOnCommand } from "../places/places.js";
import type { LogOptions, PlaceHandle } from "../ports.js";
import { parseSince } from "../print/duration.js";
import { labelPaint } from "../print/step-lines.js";
import { wholeLineMax } from "../print/step-output.js";
import { followLogs } from "../session/follow-logs.js";
import { type StepLog, StepLogs } from "../session/step-logs.js";
import { findSteps, type Step, stepsOf } from "../steps.js";
import { stepKey } from "../workflow-key.js";
import { integer } from "./flags.js";
import { type Call, type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly container: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly since?: string;
  readonly sinceTime?: string;
  readonly tail: number;
  readonly grep?: string;
  readonly selector?: string;
  readonly timestamps?: boolean;
  readonly in?: string;
}

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command
    .argument("<NAME>", "workflow, or @latest")
    .argument("[STEP]", "pod, node ID, name or template of a step")
    .option("-c, --container <NAME>", "container of the steps", "main")
    .option("-f, --follow", "go on until the workflow ends")
    .option("-p, --previous", "of the container before its restart")
    .option("--since <DURATION>", "lines newer than: 30s, 5m, 2h")
    .option("--since-time <TIME>", "lines since: 2026-11-30T06:00:00Z")
    .option("--tail <NUMBER>", "the last lines of each step", integer, -1)
    .option("--grep <REGEX>", "lines that match")
    .option("-l, --selector <LABELS>", "of pods with these labels")
    .option("--timestamps", "with the time of each line");
  defineIn(command);
  examples(command, [
    "tiphys logs @latest",
    "tiphys logs -f nightly unit",
    "tiphys logs nightly --grep 'ERROR|WARN' --tail 100",
  ]);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  const [name = "", step, ...more] = call.args;
  if (more.length > 0) throw badInput("one workflow and one step", "tiphys logs NAME [STEP]");
  const matches = lineFilter(flags.grep);
  const options = logOptions(flags, context.ports.clock.now());
  const readerGone = new AbortController();
  return withWorkflow(context, { name, inPlace: flags.in }, async (open) => {
    const wanted = await wantedSteps(open, step, flags);
    const logs: StepLogs = new StepLogs(withOptions(open.handle, options), {
      lineMax: () => wholeLineMax,
      lines: (log, lines) => {
        if (context.ports.stdout.closed) readerGone.abort();
        return writeLog(context, log, lines.filter(matches));
      },
      ended: ({ pod, nodeId }) => logs.forget(stepKey(pod.namespace, nodeId)),
    });
    readerGone.signal.addEventListener("abort", () => void logs.stop("as they are"), { once: true });
    if (flags.follow === true && isWorkedOn(context, open)) {
      const how = await followLogs(context, open, {
        logs,
        wants: wanted.wants,
        container: flags.container,
        readerGone: readerGone.signal,
      });
      // Who leaves does not wait for one more answer.
      if (how !== "left") await tellIfLost(context, open.found);
    } else {
      for (const log of logsOf(open.workflow, wanted.steps, flags.container)) {
        if (readerGone.signal.aborted) break;
        logs.follow(log);
        await logs.settled();
      }
    }
    return exitCodes.succeeded;
  });
}

async function tellIfLost(context: Context, { row, place }: Found): Promise<void> {
  const [now] = (await allWorkflows(context, place.folder)).filter((found) => found.row.uid === row.uid);
  if (now === undefined || now.owned || now.row.finishedAt !== "") return;
  notice(context, lostText(place, row.name));
}

function lostText(place: Found["place"], name: string): string {
  return `the process of ${name} is gone: ${goOnCommand(place, name)}`;
}

/** What nobody works on does not go on: there is nothing to wait for. */
function isWorkedOn(context: Context, { handle, workflow, found }: OpenWorkflow): boolean {
  if (workflow.status?.finishedAt !== undefined) return false;
  if (handle.role !== "reader") return true;
  notice(context, lostText(found.place, found.row.name));
  return false;
}

interface WantedSteps {
  readonly steps: readonly Step[];
  /** For steps that begin while the logs are followed. */
  readonly wants: (workflow: Workflow, pod: Pod) => boolean;
}

async function wantedSteps(open: OpenWorkflow, name: string | undefined, flags: Flags): Promise<WantedSteps> {
  const labels = parseLabelSelector(flags.selector ?? "");
  if (!labels.ok) throw badInput(`--selector: ${labels.error}`);
  const byName = (workflow: Workflow, pod: string): boolean =>
    name === undefined || namesStep(workflow, name).some((step) => step.pod === pod);
  const named = name === undefined ? stepsOf(open.workflow) : await stepsNamed(open.workflow, name, flags);
  const wants = (workflow: Workflow, pod: Pod): boolean =>
    matchesLabels(labels.value, pod.metadata.labels) && byName(workflow, pod.metadata.name ?? "");
  if ((flags.selector ?? "") === "") return { steps: named, wants };
  const list = await open.handle.client.list<Pod>(pods, { namespace: open.workflow.metadata.namespace ?? "" });
  const selected = new Set(
    list.items.filter((pod) => matchesLabels(labels.value, pod.metadata.labels)).map((pod) => pod.metadata.name),
  );
  return { steps: named.filter(({ pod }) => selected.has(pod)), wants };
}

/** With -f a step that has not begun yet is waited for; otherwise its name must be right. */
async function stepsNamed(workflow: Workflow, name: string, flags: Flags): Promise<readonly Step[]> {
  return flags.follow === true && !workflow.status?.finishedAt ? namesStep(workflow, name) : findSteps(workflow, name);
}

function namesStep(workflow: Workflow, name: string): readonly Step[] {
  try {
    return findSteps(workflow, name);
  } catch {
    return [];
  }
}

function logsOf(workflow: Workflow, steps: readonly Step[], container: string): readonly StepLog[] {
  const namespace = workflow.metadata.namespace ?? "";
  return steps.map(({ node, pod }) => ({
    nodeId: node.id,
    pod: { namespace, name: pod },
    podUid: "",
    container,
    label: pod,
  }));
}

/** Argo's line: `<pod>: <content>`. */
function writeLog(context: Context, log: StepLog, lines: readonly string[]): Promise<void> | undefined {
  if (lines.length === 0) return undefined;
  const { stdout } = context.ports;
  const prefix = labelPaint(context.out.paint, log.pod.name)(`${log.pod.name}: `);
  return stdout.write(lines.map((line) => `${prefix}${line}\n`).join("")) ? undefined : stdout.drained();
}

function logOptions(flags: Flags, now: number): LogOptions {
  if (flags.since !== undefined && flags.sinceTime !== undefined) {
    throw badInput("--since-time and --since cannot be used together");
  }
  const since = flags.since === undefined ? timeOption(flags.sinceTime) : now - durationOption(flags.since);
  return {
    // Who did not ask to follow gets what there is, also of a step that still runs.
    ...(flags.follow === true ? {} : { follow: false }),
    ...(flags.previous === true ? { previous: true } : {}),
    ...(flags.timestamps === true ? { timestamps: true } : {}),
    ...(flags.tail >= 0 ? { tailLines: flags.tail } : {}),
    ...(since === undefined ? {} : { since }),
  };
}

function durationOption(text: string): number {
  const parts = parseDuration(text);
  const ms = parseSince(text) ?? (parts.ok ? msOf(parts.value) : -1);
  if (ms < 0) throw badInput(`--since ${text}: expected a duration such as 30s, 5m or 1h30m`);
  return ms;
}

function timeOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = msOfRfc3339(text);
  if (at === undefined) throw badInput(`--since-time ${text}: expected a time such as 2026-11-30T06:00:00Z`);
  return at;
}

/** What the session asks for, but where the flags say otherwise. */
function withOptions(handle: PlaceHandle, options: LogOptions): Pick<PlaceHandle, "logs"> {
  return { logs: (pod, container, base) => handle.logs(pod, container, { ...base, ...options }) };
}

function lineFilter(grep: string | undefined): (line: string) => boolean {
  if (grep === undefined) return () => true;
  try {
    const pattern = RE2JS.compile(grep);
    return (line) => pattern.matcher(line).find();
  } catch (error) {
    throw badInput(`--grep ${grep}: ${error instanceof Error ? error.message : "no regular expression"}`);
  }
}
