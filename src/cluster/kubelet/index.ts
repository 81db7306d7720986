/** The embedded cluster's kubelet: runs pods of the API on this machine. */

export { type Kubelet, startKubelet } from "./kubelet.js";
export type { LogOptions } from "./logs.js";
export { DEFAULT_NODE_NAME } from "./options.js";
export { ContainerRuntime } from "./runtime/container/container-runtime.js";
export { removeLeftContainers } from "./runtime/container/left-containers.js";
export { storedContainerShell } from "./runtime/container/stored-shell.js";
export { tryContainers } from "./runtime/container/try-program.js";
export { HostRuntime } from "./runtime/host/host-runtime.js";
export { findIsolation } from "./runtime/host/isolation.js";
export type {
  ContainerSetup,
  FoundContainer,
  PodHandle,
  Runtime,
  ShellCommand,
  StartResult,
} from "./runtime/port.js";
export { RoutedRuntime } from "./runtime/routed-runtime.js";
export { parseOutcome, parseScript } from "./runtime/scripted/parse-script.js";
export { defaultOutcome, type Script, type ScriptOutcome } from "./runtime/scripted/script.js";
export { ScriptedRuntime, type ScriptIdentity } from "./runtime/scripted/scripted-runtime.js";
export { storedLog } from "./stored-log.js";
export { storedShell } from "./stored-shell.js";
