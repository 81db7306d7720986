/** Collects what main left: its result, output parameters, output artifacts, its log (Argo 4.1 behaviour 6.4, 6.5). */

import type { BuiltinContext } from "../cluster/kubelet/builtin.js";
import type { Outputs, Parameter } from "../core/model/argo/template.js";
import { messageOf } from "../core/std/message.js";
import { goText } from "./go-text.js";
import type { InputWork } from "./inputs.js";
import { isMounted } from "./mounted.js";
import { mainContainerName, type ParameterStep, planOutputs } from "./plan.js";
import { saveArtifacts } from "./save-artifacts.js";

export type OutputWork = InputWork;

export interface Collected {
  readonly outputs: Outputs;
  /** In the order they came up; the first is the node's. */
  readonly errors: string[];
}

const RESULT_BYTES = 256 * 1024;
/** A parameter is copied into every status and pod that uses it. */
const PARAMETER_BYTES_MAX = 4 * 2 ** 20;
const NEWLINE = 10;

/** Never rejects: what fails is among the errors, and the rest is collected. */
export async function collectOutputs(work: OutputWork): Promise<Collected> {
  const errors: string[] = [];
  const result = await orError(errors, () => captureResult(work));
  const parameters = await readParameters(work, errors);
  const artifacts = await saveArtifacts(work, errors);
  return {
    outputs: {
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(artifacts.length === 0 ? {} : { artifacts }),
      ...(result === undefined ? {} : { result }),
    },
    errors,
  };
}

/** One trailing newline is taken off, then the last 256 KiB are kept. */
async function captureResult({ context, environment }: OutputWork): Promise<string | undefined> {
  if (!environment.includeResult) return undefined;
  const tail = await context.stdoutTail(mainContainerName, RESULT_BYTES + 1);
  const text = withoutNewline(tail);
  return goText(text.subarray(Math.max(0, text.length - RESULT_BYTES)));
}

/** All declared ones, with a value where a file gives one. */
async function readParameters(work: OutputWork, errors: string[]): Promise<readonly Parameter[]> {
  const { template } = work.environment;
  const steps = new Map(planOutputs(template).parameters.map((step) => [step.parameter.name, step]));
  const parameters: Parameter[] = [];
  for (const parameter of template.outputs?.parameters ?? []) {
    const step = steps.get(parameter.name);
    const value = step === undefined ? undefined : await orError(errors, () => readParameter(step, work.context));
    parameters.push(value === undefined ? parameter : { ...parameter, value });
  }
  return parameters;
}

async function readParameter({ parameter, path }: ParameterStep, context: BuiltinContext): Promise<string> {
  const content = await context.readFile(mainContainerName, path, PARAMETER_BYTES_MAX + 1);
  const fallback = parameter.valueFrom?.default;
  if (content === undefined) {
    if (fallback !== undefined) return fallback;
    context.log(`output parameter ${parameter.name}: main left no file ${path}`);
    throw new Error(`open ${argoParameterPath(path, context)}: no such file or directory`);
  }
  if (content.length > PARAMETER_BYTES_MAX) {
    throw new Error(
      `output parameter ${parameter.name}: ${path} has more than ${PARAMETER_BYTES_MAX} bytes, an artifact is for that`,
    );
  }
  return goText(withoutNewline(content));
}

/** Where Argo's executor would have looked: the same message there and here. */
function argoParameterPath(path: string, context: BuiltinContext): string {
  return isMounted(path, context) ? `/mainctrfs${path}` : `/var/run/argo/outputs/parameters${path}`;
}

function withoutNewline(bytes: Buffer): Buffer {
  return bytes[bytes.length - 1] === NEWLINE ? bytes.subarray(0, -1) : bytes;
}

async function orError<T>(errors: string[], act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    errors.push(messageOf(error));
    return undefined;
  }
}
