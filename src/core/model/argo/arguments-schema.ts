/** Schemas of parameters, arguments, inputs and outputs. */

import { anyText, emptyObject, type Fields, list, listBy, object, required, text } from "../codec/schema.js";
import { keySelectorSchema } from "../kube/container-schema.js";
import { artifactSchema } from "./artifact-schema.js";
import type { Arguments, Outputs, Parameter, ValueFrom } from "./template.js";

const valueFrom = object<ValueFrom>()({
  path: text,
  jsonPath: text,
  jqFilter: text,
  event: text,
  parameter: text,
  supplied: emptyObject,
  configMapKeyRef: keySelectorSchema,
  default: anyText,
  expression: text,
});

export const parameterSchema = object<Parameter>()({
  name: required(text),
  default: anyText,
  value: anyText,
  valueFrom,
  globalName: text,
  enum: list(anyText),
  description: anyText,
});

const argumentsFields: Fields<Arguments> = {
  parameters: listBy("name", parameterSchema),
  artifacts: listBy("name", artifactSchema),
};

/** Inputs have the same two lists. */
export const argumentsSchema = object<Arguments>()(argumentsFields);

export const outputsSchema = object<Outputs>()({ ...argumentsFields, result: text, exitCode: text });
