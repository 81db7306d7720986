/** One sample by the built program on this machine's own programs, as a person would run it and look at it after. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workflow } from "../../src/core/model/argo/workflow.js";
import { seeds } from "./known.js";
import type { SampleRecording, Samples } from "./recordings.js";

export interface SampleRun {
  readonly exitCode: number | null;
  /** Of `tiphys run`. */
  readonly stderr: string;
  /** As `tiphys run -o json` prints it at the end; undefined when nothing was started. */
  readonly workflow: Workflow | undefined;
  /** `POD/CONTAINER` -> lines, as `tiphys logs` prints them. */
  readonly logs: Readonly<Record<string, string>>;
}

export interface RunSettings {
  readonly manifests: Samples["manifests"];
  /** After that, in milliseconds, the run is interrupted as by Ctrl-C. */
  readonly timeout: number;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** TIPHYS_PROGRAM names another build. */
const program = process.env["TIPHYS_PROGRAM"] ?? here("../../dist/tiphys.js");

/** What the cluster of the recordings had: templates, a config map, a claim, and images that name no command. */
const given = ["workflow-template/templates.yaml", "cluster-workflow-template/clustertemplates.yaml", "configmaps"];

export async function runSample(recording: SampleRecording, settings: RunSettings): Promise<SampleRun> {
  const folder = mkdtempSync(join(tmpdir(), "tiphys-sample-"));
  const tiphys: Tiphys = (words, timeout) => call([program, ...words], folder, timeout);
  try {
    const withs = [...given.map((path) => join(settings.manifests, path)), here("with")];
    const file = join(settings.manifests, recording.file);
    const words = [
      "run",
      "-o",
      "json",
      "--runtime",
      "host",
      "--name",
      recording.name,
      ...withs.flatMap((path) => ["--with", path]),
    ];
    // Steps have a /tmp and homes of their own, and the checkout may lie below the machine's.
    for (const path of [here("bin"), here("chance")]) words.push("--mount", `${path}:${path}:ro`);
    const ran = await tiphys([...words, ...diceOf(recording), file], settings.timeout);
    const workflow = NOTHING_STARTED.has(ran.code ?? 0) ? undefined : workflowIn(ran.stdout);
    const logs: Record<string, string> = {};
    for (const container of workflow === undefined ? [] : containersOf(recording)) {
      const { stdout } = await tiphys(["logs", recording.name, "-c", container, "--no-color"], LOOK);
      addLines(logs, container, stdout);
    }
    return { exitCode: ran.code, stderr: ran.stderr, workflow, logs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Tiphys = (words: readonly string[], timeout: number) => Promise<Ended>;

/** Milliseconds for a command that only looks. */
const LOOK = 30_000;
/** Exit codes: bad input, and what cannot run here. */
const NOTHING_STARTED: ReadonlySet<number> = new Set([2, 3]);

/** Undefined where the run was cut short. */
function workflowIn(printed: string): Workflow | undefined {
  return printed === "" ? undefined : (JSON.parse(printed) as Workflow);
}

/** Python's dice fall as they fell on the cluster. */
function diceOf({ name }: SampleRecording): readonly string[] {
  const seed = seeds[name];
  return seed === undefined ? [] : ["--env", `PYTHONPATH=${here("chance")}`, "--env", `SAMPLE_SEED=${seed}`];
}

function containersOf({ logs = {} }: SampleRecording): readonly string[] {
  return [...new Set(["main", ...Object.keys(logs).map((key) => key.split("/")[1] ?? "main")])];
}

/** `POD: line` of several pods, taken apart again. */
function addLines(logs: Record<string, string>, container: string, text: string): void {
  for (const line of text.split("\n").slice(0, -1)) {
    const [, pod = "", rest = ""] = /^([a-z0-9.-]+): (.*)$/s.exec(line) ?? [];
    logs[`${pod}/${container}`] = `${logs[`${pod}/${container}`] ?? ""}${rest}\n`;
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function call(words: readonly string[], folder: string, timeout: number): Promise<Ended> {
  const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: `${here("bin")}:${PATH}`, HOME, LANG, TIPHYS_HOME: join(folder, "home") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    out.stderr += text;
  });
  const interrupt = setTimeout(() => child.kill("SIGINT"), timeout);
  const kill = setTimeout(() => child.kill("SIGKILL"), timeout + 20_000);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(interrupt);
      clearTimeout(kill);
      resolve({ code, ...out });
    });
  });
}
