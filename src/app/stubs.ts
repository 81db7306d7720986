/** `--stub`: templates whose steps do not run here, but succeed with the outputs that were given for them. */

import { PlaceError, type Stub } from "../cli/ports.js";
import {
  defaultOutcome,
  parseOutcome,
  RoutedRuntime,
  type Runtime,
  ScriptedRuntime,
  type ScriptOutcome,
} from "../cluster/kubelet/index.js";
import { annotations } from "../core/model/argo/names.js";
import type { Template } from "../core/model/argo/template.js";
import type { Pod } from "../core/model/kube/pod.js";
import { isJsonObject, type Json } from "../core/std/json.js";
import type { Problem } from "../core/std/problem.js";
import { readStubOutputs, type StubOutputs, stubFiles, stubTemplate } from "../core/template/index.js";
import { systemClock } from "./system-clock.js";

interface ReadStub {
  readonly outputs: StubOutputs;
  readonly outcome: ScriptOutcome;
}

/** By the template's name. */
export type Stubs = ReadonlyMap<string, ReadStub>;

/** Throws PlaceError "script" for a file that is wrong. */
export function readStubs(stubs: readonly Stub[]): Stubs {
  return new Map(stubs.map((stub) => [stub.template, readStub(stub)]));
}

function readStub({ template, outcome, file }: Stub): ReadStub {
  const outputs = readStubOutputs(outcome);
  const rest = parseOutcome(withoutOutputs(outcome));
  if (outputs.ok && rest.ok) return { outputs: outputs.value, outcome: withOutputs(rest.value, outputs.value) };
  const problems: readonly Problem[] = [...(outputs.ok ? [] : outputs.error), ...(rest.ok ? [] : rest.error)];
  const texts = new Set(problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)));
  throw new PlaceError("script", `${file ?? `--stub ${template}`}: ${[...texts].join("\n")}`);
}

function withoutOutputs(outcome: Json): Json {
  if (!isJsonObject(outcome)) return outcome;
  const { parameters: _parameters, artifacts: _artifacts, result: _result, ...rest } = outcome;
  return rest;
}

/** A result is what a step prints. */
function withOutputs(outcome: ScriptOutcome, outputs: StubOutputs): ScriptOutcome {
  return {
    ...outcome,
    files: stubFiles(outputs),
    ...(outputs.result !== undefined && { stdout: `${outputs.result}\n` }),
  };
}

/** For the engine: the stub in a template's place. */
export function standInFor(stubs: Stubs): (template: Template) => Template | undefined {
  return (template) => {
    const stub = stubs.get(template.name ?? "");
    return stub === undefined ? undefined : stubTemplate(template, stub.outputs);
  };
}

export function isStub(pod: Pod): boolean {
  return pod.metadata.annotations?.[annotations.stub] === "true";
}

/** `usual` for all pods but those of stubs. */
export function withStubs(usual: Runtime, stubs: Stubs): Runtime {
  if (stubs.size === 0) return usual;
  const other = new ScriptedRuntime({
    script: { rules: [] },
    clock: systemClock,
    keepsLogs: true,
    decide: (pod) => outcomeOf(pod, stubs),
  });
  return new RoutedRuntime({ usual, other, isForOther: isStub });
}

/** A daemon runs until it is told to stop, whatever it does otherwise. */
function outcomeOf(pod: Pod, stubs: Stubs): ScriptOutcome {
  const { [annotations.template]: template = "", [annotations.daemon]: daemon } = pod.metadata.annotations ?? {};
  const outcome = stubs.get(template)?.outcome ?? defaultOutcome;
  return daemon === "true" && outcome.durationMs === 0 ? { ...outcome, durationMs: undefined } : outcome;
}
