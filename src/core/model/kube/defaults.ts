/** What a Kubernetes API server fills into a pod that leaves it open. */

import type { Container, Pod, Probe, Volume } from "./pod.js";

/** The pod with the defaults that decide how it runs; what is set stays. Applying it twice changes nothing more. */
export function withPodDefaults(pod: Pod): Pod {
  const { initContainers, volumes } = pod.spec;
  return {
    ...pod,
    spec: {
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
      securityContext: {},
      ...pod.spec,
      containers: pod.spec.containers.map(withContainerDefaults),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withContainerDefaults) }),
      ...(volumes === undefined ? {} : { volumes: volumes.map(withVolumeDefaults) }),
    },
  };
}

export function withContainerDefaults(container: Container): Container {
  const { livenessProbe, readinessProbe, startupProbe, ports } = container;
  return {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: imagePullPolicyOf(container.image ?? ""),
    ...container,
    ...(ports === undefined ? {} : { ports: ports.map((port) => ({ protocol: "TCP", ...port })) }),
    ...(livenessProbe === undefined ? {} : { livenessProbe: withProbeDefaults(livenessProbe) }),
    ...(readinessProbe === undefined ? {} : { readinessProbe: withProbeDefaults(readinessProbe) }),
    ...(startupProbe === undefined ? {} : { startupProbe: withProbeDefaults(startupProbe) }),
  };
}

/** `Always` for the tag `latest`, written or implied; an image named by digest never changes. */
export function imagePullPolicyOf(image: string): "Always" | "IfNotPresent" {
  if (image.includes("@")) return "IfNotPresent";
  const name = image.slice(image.lastIndexOf("/") + 1);
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

/** Seconds and counts of a probe that says nothing. */
export function withProbeDefaults(probe: Probe): Probe {
  const { httpGet } = probe;
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(httpGet === undefined ? {} : { httpGet: { path: "/", scheme: "HTTP", ...httpGet } }),
  };
}

const FILE_MODE = 0o644;

function withVolumeDefaults(volume: Volume): Volume {
  const { configMap, secret, downwardAPI, hostPath } = volume;
  return {
    ...volume,
    ...(configMap === undefined ? {} : { configMap: { defaultMode: FILE_MODE, ...configMap } }),
    ...(secret === undefined ? {} : { secret: { defaultMode: FILE_MODE, ...secret } }),
    ...(downwardAPI === undefined ? {} : { downwardAPI: { defaultMode: FILE_MODE, ...downwardAPI } }),
    ...(hostPath === undefined ? {} : { hostPath: { type: "", ...hostPath } }),
  };
}
