/** `tiphys cp`: output artifacts to a folder (Argo 4.1 behaviour 8.11). */

import { createWriteStream } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Context, writeLines } from "../context.js";
import { badInput, notFound } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { withWorkflow } from "../places/find.js";
import { makeFolder } from "../places/make-folder.js";
import type { PlaceHandle } from "../ports.js";
import { displayName, userFolderFault } from "../report-error.js";
import { findSteps } from "../steps.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly nodeId?: string;
  readonly templateName?: string;
  readonly artifactName?: string;
  readonly path: string;
  readonly in?: string;
}

const DEFAULT_PATH = "{namespace}/{workflowName}/{nodeId}/outputs/{artifactName}";

export const command: CommandDefinition = {
  define(spec) {
    spec
      .argument("<NAME>", "workflow, or @latest")
      .argument("<FOLDER>", "where the files go")
      .option("--node-id <STEP>", "of this step: pod, node ID, name or template")
      .option("--template-name <NAME>", "of steps of this template")
      .option("--artifact-name <NAME>", "artifacts of this name")
      .option("--path <PATTERN>", "below the folder", DEFAULT_PATH);
    defineIn(spec);
    examples(spec, ["tiphys cp @latest out/", "tiphys cp nightly out/ --artifact-name report --path ."]);
  },
  async run(context, call) {
    const [name = "", folder = ""] = call.args;
    if (call.args.length !== 2) throw badInput("incorrect number of arguments", "tiphys cp NAME FOLDER");
    const flags = call.options<Flags>();
    return withWorkflow(context, { name, inPlace: flags.in }, async ({ handle, workflow }) => {
      const wanted = artifactsOf(workflow, flags);
      if (wanted.length === 0)
        throw notFound(`${workflow.metadata.name ?? ""} has no such output artifact`, "tiphys get -o wide lists them");
      for (const one of wanted) {
        const file = await copy(handle, workflow, {
          ...one,
          folder: resolve(context.ports.cwd, folder),
          path: flags.path,
        });
        tell(context, file);
      }
      return exitCodes.succeeded;
    });
  },
};

function tell(context: Context, file: string): void {
  writeLines(context, [`Created "${displayName(file, context.ports.cwd)}"`]);
}

interface Wanted {
  readonly node: NodeStatus;
  readonly artifact: string;
}

function artifactsOf(workflow: Workflow, flags: Flags): readonly Wanted[] {
  const ids =
    flags.nodeId === undefined ? undefined : new Set(findSteps(workflow, flags.nodeId).map(({ node }) => node.id));
  return Object.values(workflow.status?.nodes ?? {})
    .filter((node) => node.type === "Pod" || node.type === "Container")
    .filter((node) => ids === undefined || ids.has(node.id))
    .filter((node) => flags.templateName === undefined || node.templateName === flags.templateName)
    .flatMap((node) => (node.outputs?.artifacts ?? []).map(({ name }) => ({ node, artifact: name })))
    .filter(({ artifact }) => flags.artifactName === undefined || artifact === flags.artifactName);
}

interface CopyRequest extends Wanted {
  readonly folder: string;
  readonly path: string;
}

/** The file written. Names come from the workflow: none of them may lead out of the folder. */
async function copy(handle: PlaceHandle, workflow: Workflow, request: CopyRequest): Promise<string> {
  const { node, artifact } = request;
  const { namespace = "", name = "" } = workflow.metadata;
  const content = await handle.artifact({ namespace, workflow: name, nodeId: node.id, artifact });
  const values: Readonly<Record<string, string>> = {
    "{namespace}": namespace,
    "{workflowName}": name,
    "{nodeId}": node.id,
    "{templateName}": node.templateName ?? "",
    "{artifactName}": artifact,
  };
  let below = request.path;
  for (const [placeholder, value] of Object.entries(values)) below = below.replace(placeholder, () => value);
  const folder = resolve(request.folder, below);
  const file = join(folder, basename(content.fileName));
  // "/" ends with its separator already.
  const start = request.folder.endsWith(sep) ? request.folder : request.folder + sep;
  const bytes = Readable.from(content.bytes);
  try {
    if (!file.startsWith(start)) throw badInput(`--path ${request.path} leads out of ${request.folder}`);
    makeFolder(folder);
    await pipeline(bytes, createWriteStream(file));
  } catch (error) {
    // What was made for them goes with them, also where nobody began to read.
    bytes.destroy();
    throw notWritten(error, request.folder);
  }
  return file;
}

/** What the user's own folder refuses is no matter of where tiphys keeps its things. */
function notWritten(error: unknown, folder: string): unknown {
  const told = userFolderFault(error);
  return told === undefined ? error : badInput(told, `${folder} is where it should go: name another folder`);
}
