/** Suspend: waits for someone to go on, or for a time to pass (Argo 4.1 behaviour 2.7). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { Inputs, Outputs, Parameter, Template } from "../../model/argo/template.js";
import { msOf, parseDurationOrSeconds } from "../../std/duration.js";
import { isJsonList } from "../../std/json.js";
import { err, ok, type Result } from "../../std/result.js";
import { startOf } from "../deadlines.js";
import { DEADLINE } from "../from-outside.js";
import { createNode, markNode, updateNode } from "../nodes/change.js";
import { type At, type Executed, isPastDeadline, mayExecute, shutdownMessage } from "../pass.js";
import { failWith, type Kind } from "./kind.js";

export const suspendKind: Kind = { begin, proceed, wants: (_at, node) => ({ node }) };

function begin({ pass, frame, template }: At): NodeStatus {
  const outputs = initialOutputs(template);
  return createNode(pass, frame.call, {
    type: "Suspend",
    phase: "Pending",
    template: withEnums(template),
    ...(outputs === undefined ? {} : { outputs }),
  });
}

function proceed(at: At, node: NodeStatus): Executed {
  const { pass, frame, template } = at;
  if (!mayExecute(pass, frame.call.onExit)) {
    return { node: markNode(pass, node, "Failed", shutdownMessage(pass)) };
  }
  if (isPastDeadline(pass) && !frame.call.onExit) {
    return { node: markNode(pass, node, "Failed", DEADLINE) };
  }
  const text = template.suspend?.duration ?? "";
  if (text === "") return { node: markNode(pass, node, "Running") };
  const duration = parseDurationOrSeconds(text);
  if (!duration.ok) return failWith(duration.error, node);
  const end = startOf(pass, node) + msOf(duration.value);
  if (pass.now > end) return expire(at, node);
  pass.frames.sleepUntil(frame, end + 1);
  return { node: markNode(pass, node, "Running") };
}

function expire({ pass }: At, node: NodeStatus): Executed {
  const outputs = withDefaults(node.outputs);
  if (!outputs.ok) return failWith(outputs.error, node);
  return {
    node: updateNode(pass, node, {
      phase: "Succeeded",
      ...(outputs.value === undefined ? {} : { outputs: outputs.value }),
    }),
  };
}

/** Nobody gave a value: the default is the value. */
function withDefaults(outputs: Outputs | undefined): Result<Outputs | undefined> {
  if (outputs?.parameters === undefined) return ok(outputs);
  const parameters: Parameter[] = [];
  for (const parameter of outputs.parameters) {
    const { valueFrom, ...rest } = parameter;
    if (parameter.value !== undefined || valueFrom === undefined) {
      parameters.push(parameter);
    } else if (valueFrom.default === undefined) {
      return err(`raw output parameter '${parameter.name}' has not been set and does not have a default value`);
    } else {
      parameters.push({ ...rest, value: valueFrom.default });
    }
  }
  return ok({ ...outputs, parameters });
}

/** A supplied output without a default takes that of the input of the same name. */
function initialOutputs(template: Template): Outputs | undefined {
  const parameters = template.outputs?.parameters;
  if (parameters === undefined || parameters.length === 0) return undefined;
  return {
    ...template.outputs,
    parameters: parameters.map((parameter): Parameter => {
      const { valueFrom } = parameter;
      if (valueFrom?.supplied === undefined || valueFrom.default !== undefined) return parameter;
      const input = template.inputs?.parameters?.find(({ name }) => name === parameter.name);
      return input?.default === undefined
        ? parameter
        : { ...parameter, valueFrom: { ...valueFrom, default: input.default } };
    }),
  };
}

/** An input whose value is a parameter in JSON with an enum offers that enum (Argo 4.1 behaviour 2.7). */
function withEnums(template: Template): Template {
  const parameters = template.inputs?.parameters;
  if (parameters === undefined) return template;
  const inputs: Inputs = { ...template.inputs, parameters: parameters.map(withEnum) };
  return { ...template, inputs };
}

function withEnum(parameter: Parameter): Parameter {
  const choices = enumIn(parameter.value);
  if (choices === undefined) return parameter;
  const first = choices[0];
  return {
    ...parameter,
    enum: choices,
    ...(parameter.default === undefined && first !== undefined ? { default: first } : {}),
  };
}

function enumIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || !text.trimStart().startsWith("{")) return undefined;
  const parsed = parseQuietly(text);
  if (typeof parsed !== "object" || parsed === null || !("enum" in parsed) || !isJsonList(parsed.enum))
    return undefined;
  return parsed.enum.length === 0 ? undefined : parsed.enum.map(String);
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
