/** A step that was done, but for a file that one of its outputs is read from: which output, and what would do without it. */

import type { Template } from "../../core/model/argo/template.js";

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

/** An output with a file, and the words in which Argo's executor tells that it was not there. */
interface Declared extends MissingOutput {
  readonly told: readonly string[];
}

/** The first of the outputs whose absence `message` tells: it names where Argo's executor looked, not where the step was to write. */
export function missingOutput(message: string, template: Template): MissingOutput | undefined {
  const declared = [...parametersOf(template), ...artifactsOf(template)];
  const missing = declared.find(({ told }) => told.some((text) => message.includes(`${text}: no such file`)));
  if (missing === undefined) return undefined;
  const { told: _, ...output } = missing;
  return output;
}

function parametersOf({ outputs }: Template): readonly Declared[] {
  return (outputs?.parameters ?? []).flatMap(({ name, valueFrom }, index) => {
    const path = valueFrom?.path;
    if (path === undefined || valueFrom?.default !== undefined) return [];
    return {
      path,
      field: `outputs.parameters[${index}].valueFrom.path`,
      output: `output parameter "${name}"`,
      instead: "valueFrom.default would stand in for it",
      told: [`open /var/run/argo/outputs/parameters${path}`, `open /mainctrfs${path}`],
    };
  });
}

function artifactsOf({ outputs }: Template): readonly Declared[] {
  return (outputs?.artifacts ?? []).flatMap(({ name, path, optional }, index) => {
    if (path === undefined || optional === true) return [];
    return {
      path,
      field: `outputs.artifacts[${index}].path`,
      output: `output artifact "${name}"`,
      instead: "with optional: true the step does without it",
      told: [`open /var/run/argo/outputs/artifacts${path}.tgz`, `stat /mainctrfs${path}`],
    };
  });
}
