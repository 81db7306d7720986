/** The embedded cluster's kubelet: runs pods of the API on this machine. */

export type { BuiltinContext, BuiltinExit, BuiltinImage, BuiltinImages } from "./builtin.js";
export { type Kubelet, type PodRef, startKubelet } from "./kubelet.js";
export type { KeepFiles } from "./kubelet-context.js";
export { type LogLine, type LogStream, parseLogLine } from "./log-format.js";
export { type LogOptions, readLogLines, readTail } from "./logs.js";
export { DEFAULT_NODE_NAME, type KubeletOptions } from "./options.js";
export { HostRuntime, type HostRuntimeOptions, isolationCacheFile } from "./runtime/host/host-runtime.js";
export { findIsolation } from "./runtime/host/isolation.js";
export type { Isolation, Machine } from "./runtime/host/machine.js";
export * from "./runtime/port.js";
export { parseScript } from "./runtime/scripted/parse-script.js";
export {
  defaultOutcome,
  type Script,
  type ScriptedFailure,
  type ScriptMatch,
  type ScriptOutcome,
  type ScriptRule,
  type ScriptSubject,
} from "./runtime/scripted/script.js";
export {
  ScriptedRuntime,
  type ScriptedRuntimeOptions,
  type ScriptIdentity,
} from "./runtime/scripted/scripted-runtime.js";
export { storedLog } from "./stored-log.js";
