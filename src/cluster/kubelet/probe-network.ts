/** Probes that ask a port: httpGet and tcpSocket. */

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect } from "node:net";
import type { IntOrString } from "../../core/model/kube/meta.js";
import type { Container, Probe } from "../../core/model/kube/pod.js";

export interface NetworkProbe {
  readonly probe: Probe;
  readonly container: Container;
  /** The pod's own address. */
  readonly ip: string;
}

const DEFAULT_TIMEOUT_SECONDS = 1;

export function timeoutMsOf(probe: Probe): number {
  // 0 stands for none given, as in Kubernetes.
  return (probe.timeoutSeconds || DEFAULT_TIMEOUT_SECONDS) * 1000;
}

/** Undefined when the probe asks no port. */
export function askNetwork(input: NetworkProbe): Promise<boolean> | undefined {
  const { httpGet, tcpSocket } = input.probe;
  if (httpGet !== undefined) return askHttp(input, httpGet);
  if (tcpSocket !== undefined)
    return askTcp(tcpSocket.host ?? input.ip, portOf(tcpSocket.port, input.container), timeoutMsOf(input.probe));
  return undefined;
}

/** 200 to 399 is well; certificates are not looked at, as in Kubernetes. */
function askHttp(input: NetworkProbe, get: NonNullable<Probe["httpGet"]>): Promise<boolean> {
  const send = get.scheme === "HTTPS" ? requestHttps : requestHttp;
  const options = {
    host: get.host ?? input.ip,
    port: portOf(get.port, input.container),
    path: get.path ?? "/",
    headers: Object.fromEntries((get.httpHeaders ?? []).map(({ name, value }) => [name, value])),
    timeout: timeoutMsOf(input.probe),
    agent: false,
    rejectUnauthorized: false,
  } as const;
  return new Promise((resolve) => {
    const request = send(options, (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve(statusCode >= 200 && statusCode < 400);
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(false));
    request.once("close", () => resolve(false));
    request.end();
  });
}

function askTcp(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isUp: boolean): void => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

function portOf(port: IntOrString, container: Container): number {
  const named = container.ports?.find((one) => one.name === port);
  return named?.containerPort ?? Number(port);
}
