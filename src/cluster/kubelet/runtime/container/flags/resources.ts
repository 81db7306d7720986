/** A container's limits as flags. */

import type { IntOrString } from "../../../../../core/model/kube/meta.js";
import type { Container } from "../../../../../core/model/kube/pod.js";
import { milliValue, parseQuantity, quantityValue } from "../../../../../core/std/quantity.js";
import type { ContainerProgram } from "../program.js";

/** Less than this no container can be started with. */
const MIN_MEMORY_BYTES = 6 * 1024 * 1024;
const GPU = "nvidia.com/gpu";

/** `cpus`: of the machine, where a limit beyond it would be refused. */
export function resourceFlags(container: Container, program: ContainerProgram, cpus: number): readonly string[] {
  const { limits = {}, requests = {} } = container.resources ?? {};
  const flags: string[] = [];
  const cpuMillis = milli(limits["cpu"]);
  if (cpuMillis > 0) flags.push("--cpus", String(Math.min(cpuMillis / 1000, cpus)));
  const memory = whole(limits["memory"]);
  if (memory > 0) {
    const bytes = String(Math.max(memory, MIN_MEMORY_BYTES));
    // As a node of a cluster, which has no swap.
    flags.push("--memory", bytes, "--memory-swap", bytes);
  }
  const requestMillis = milli(requests["cpu"]);
  if (requestMillis > 0) flags.push("--cpu-shares", String(Math.max(2, Math.floor((requestMillis * 1024) / 1000))));
  const gpus = whole(limits[GPU] ?? requests[GPU]);
  if (gpus > 0) flags.push(...program.gpuFlags(gpus));
  return flags;
}

function milli(value: IntOrString | undefined): number {
  const parsed = parseQuantity(String(value ?? 0));
  return parsed.ok ? milliValue(parsed.value) : 0;
}

function whole(value: IntOrString | undefined): number {
  const parsed = parseQuantity(String(value ?? 0));
  return parsed.ok ? quantityValue(parsed.value) : 0;
}
