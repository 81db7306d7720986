/** What can be run below a folder, with its parameters: the answer to `tiphys run` without a file. */

import { relative } from "node:path";
import type { Parameter } from "../../core/model/argo/template.js";
import { shellWord } from "../print/shell-words.js";
import { parameterFlag } from "./parameters.js";
import { type LoadedResource, loadResources } from "./resources.js";
import { homeOf } from "./select.js";
import { manifestFiles, readText } from "./sources.js";

export interface Runnable {
  /** Relative to the folder. */
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

const FILES_READ_MAX = 500;

export interface RunnableFound {
  readonly runnable: readonly Runnable[];
  /** How many files were looked at, where there are more; else undefined. */
  readonly cutOffAt: number | undefined;
}

export async function findRunnable(folder: string): Promise<RunnableFound> {
  const { files: all } = await manifestFiles(folder);
  const files = all.slice(0, FILES_READ_MAX);
  const found: Runnable[] = [];
  for (const file of files) {
    const read = await readText(file).catch(() => undefined);
    if (read === undefined || !("text" in read) || !read.text.includes("argoproj.io")) continue;
    const loaded = loadResources([{ file, text: read.text, origin: "folder" }], { toRun: true, manner: "walk" });
    found.push(...runnableOf(loaded.resources, relative(folder, file)));
  }
  return { runnable: found, cutOffAt: files.length < all.length ? files.length : undefined };
}

/** The Workflows of a file; where it has none, its templates. */
function runnableOf(resources: readonly LoadedResource[], file: string): readonly Runnable[] {
  const runnable = resources.flatMap(({ resource, document }): readonly Runnable[] => {
    switch (resource.kind) {
      case "Workflow":
      case "WorkflowTemplate":
      case "ClusterWorkflowTemplate":
      case "CronWorkflow": {
        const { spec } = homeOf(resource, document);
        const name = resource.metadata.name ?? resource.metadata.generateName ?? "";
        return [{ file, kind: resource.kind, name, parameters: spec.arguments?.parameters ?? [] }];
      }
      default:
        return [];
    }
  });
  const workflows = runnable.filter(({ kind }) => kind === "Workflow");
  return workflows.length > 0 ? workflows : runnable;
}

const SHOWN_MAX = 40;

/** A block for each file: the command to type, what it is, the parameters that need or take a value. */
export function runnableLines({ runnable, cutOffAt }: RunnableFound): readonly string[] {
  const rest = cutOffAt === undefined ? [] : [`only the first ${cutOffAt} .yaml, .yml and .json files were looked at`];
  if (runnable.length === 0) {
    return ["nothing to run below this folder: no Workflow, WorkflowTemplate or CronWorkflow in a .yaml file", ...rest];
  }
  const lines = runnable.slice(0, SHOWN_MAX).flatMap(({ file, kind, name, parameters }) => [
    `tiphys run ${shellWord(file)}${parameters
      .filter(needsValue)
      .map((parameter) => ` ${parameterFlag(parameter)}`)
      .join("")}`,
    `    ${kind}${name === "" ? "" : ` ${name}`}`,
    ...parameters.map((parameter) => `    ${parameterLine(parameter)}`),
  ]);
  const more = runnable.length - SHOWN_MAX;
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : []), ...rest];
}

function needsValue(parameter: Parameter): boolean {
  return parameter.value === undefined && parameter.valueFrom === undefined;
}

function parameterLine(parameter: Parameter): string {
  const { name, value, description, enum: choices = [] } = parameter;
  const given = needsValue(parameter)
    ? "needs a value"
    : value === undefined
      ? "from a ConfigMap"
      : `= ${shortened(value)}`;
  const about = [description?.replace(/\s+/g, " ").trim() ?? "", choices.join(" or ")].filter((text) => text !== "");
  return `-p ${name}  ${given}${about.length === 0 ? "" : `  (${about.join("; ")})`}`;
}

function shortened(value: string): string {
  const line = value.replace(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
