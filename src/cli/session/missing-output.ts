/** A step that was done, but for a file that one of its outputs is read from: which output, and what would do without it. */

import type { Template } from "../../core/model/argo/template.js";
import { quoteGo } from "../../core/std/go-format.js";

/** An output whose file was not there. */
export interface MissingOutput {
  /** The file, as the step sees it. */
  readonly path: string;
  /** Where the template declares the path: `outputs.parameters[0].valueFrom.path`. */
  readonly field: string;
  /** `output parameter "answer"` */
  readonly output: string;
  /** What would let the step succeed all the same. */
  readonly instead: string;
}

/**
 * The first of the outputs whose absence `message` tells in the words of Argo's executor, which name the place where it
 * looked and not the one where the step was to write (Argo 4.1 behaviour 5.10).
 */
export function missingOutput(message: string, template: Template): MissingOutput | undefined {
  return declaredOutputs(template).find(({ path }) => lookedAt(path).some((text) => message.includes(text)));
}

function lookedAt(path: string): readonly string[] {
  const places = [`/parameters${path}`, `/artifacts${path}.tgz`].map((place) => `open /var/run/argo/outputs${place}`);
  return [...places, `open /mainctrfs${path}`, `stat /mainctrfs${path}`].map((place) => `${place}: no such file`);
}

function declaredOutputs({ outputs = {} }: Template): readonly MissingOutput[] {
  const parameters = (outputs.parameters ?? []).map(({ name, valueFrom }, index) => ({
    path: valueFrom?.path ?? "",
    field: `outputs.parameters[${index}].valueFrom.path`,
    output: `output parameter ${quoteGo(name)}`,
    instead: "valueFrom.default would stand in for it",
  }));
  const artifacts = (outputs.artifacts ?? []).map(({ name, path = "" }, index) => ({
    path,
    field: `outputs.artifacts[${index}].path`,
    output: `output artifact ${quoteGo(name)}`,
    instead: "with optional: true the step does without it",
  }));
  return [...parameters, ...artifacts].filter(({ path }) => path !== "");
}
