/** What belongs to a pod's network: its hostname, names, published ports; given to the container that owns it. */

import type { Pod } from "../../../../../core/model/kube/pod.js";
import { isJsonList, isJsonObject, type Json } from "../../../../../core/std/json.js";
import type { ContainerProgram } from "../program.js";

const MAX_HOSTNAME = 63;

export function hostnameOf(pod: Pod): string {
  const name = pod.spec.hostname ?? pod.metadata.name ?? "";
  return name.slice(0, MAX_HOSTNAME).replace(/[-.]+$/, "");
}

/** Of the container that owns the pod's network. */
export function ownerFlags(pod: Pod, bridge: readonly string[]): readonly string[] {
  return [
    ...bridge,
    ...["--hostname", hostnameOf(pod)],
    ...hostFlags(pod),
    ...dnsFlags(pod),
    ...portFlags(pod),
    ...sysctlFlags(pod),
  ];
}

/** Of a pod that uses the machine's own network. */
export function hostNetworkFlags(pod: Pod): readonly string[] {
  return ["--network", "host", ...hostFlags(pod)];
}

/** Of the pod's other containers. */
export function joinedFlags(pod: Pod, program: ContainerProgram, ownerId: string): readonly string[] {
  return [
    ...["--network", `container:${ownerId}`],
    ...program.joinedHostname(hostnameOf(pod)),
    ...["--ipc", `container:${ownerId}`],
    ...(pod.spec.shareProcessNamespace === true ? ["--pid", `container:${ownerId}`] : []),
  ];
}

function hostFlags({ spec }: Pod): readonly string[] {
  const entries = (spec.hostAliases ?? []).flatMap(({ ip, hostnames = [] }) =>
    hostnames.map((name) => `${name}:${ip}`),
  );
  return entries.flatMap((entry) => ["--add-host", entry]);
}

function dnsFlags({ spec }: Pod): readonly string[] {
  const { nameservers, searches, options } = spec.dnsConfig ?? {};
  return [
    ...textsOf(nameservers).flatMap((one) => ["--dns", one]),
    ...textsOf(searches).flatMap((one) => ["--dns-search", one]),
    ...optionsOf(options).flatMap((one) => ["--dns-option", one]),
  ];
}

function optionsOf(value: Json | undefined): readonly string[] {
  const options = isJsonList(value) ? value.filter(isJsonObject) : [];
  return options.flatMap(({ name, value: setting }) => {
    if (typeof name !== "string") return [];
    return typeof setting === "string" ? [`${name}:${setting}`] : [name];
  });
}

function portFlags({ spec }: Pod): readonly string[] {
  const ports = [...(spec.initContainers ?? []), ...spec.containers].flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort, hostIP = "", containerPort, protocol = "TCP" }) => {
    if (hostPort === undefined || hostPort === 0) return [];
    const address = hostIP === "" ? "" : `${hostIP}:`;
    return ["--publish", `${address}${hostPort}:${containerPort}/${protocol.toLowerCase()}`];
  });
}

function sysctlFlags({ spec }: Pod): readonly string[] {
  const sysctls = spec.securityContext?.["sysctls"];
  const entries = isJsonList(sysctls) ? sysctls.filter(isJsonObject) : [];
  return entries.flatMap(({ name, value }) =>
    typeof name === "string" && typeof value === "string" ? ["--sysctl", `${name}=${value}`] : [],
  );
}

function textsOf(value: Json | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
