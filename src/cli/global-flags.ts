/** Flags that may stand before or after any command: the namespace, log levels, and those that name a cluster. */

import type { GlobalFlags } from "./context.js";
import { cannotRun } from "./errors.js";

/** Flags of Argo that name a real cluster or server. */
const CLUSTER_FLAGS: readonly string[] = [
  ...["--argo-server", "--argo-base-href", "--header", "--instanceid", "--kubeconfig", "--context", "--cluster"],
  ...["--user", "--server", "--token", "--username", "--password", "--as", "--as-group", "--as-uid"],
  ...["--certificate-authority", "--client-certificate", "--client-key", "--tls-server-name", "--proxy-url"],
];
const CLUSTER_SHORT: Readonly<Record<string, string>> = { "-s": "--argo-server", "-H": "--header" };

/** Flags of Argo that mean nothing without a cluster; a value may follow. */
const IGNORED_WITH_VALUE = new Set(["--loglevel", "--gloglevel", "--log-format", "--request-timeout"]);
const IGNORED = new Set([
  ...["--argo-http1", "--secure", "--insecure-skip-verify", "--insecure-skip-tls-verify", "--disable-compression"],
  ...["-e", "-k"],
]);

export interface SplitArguments {
  readonly globals: GlobalFlags;
  /** What is left, in its order. */
  readonly rest: readonly string[];
}

/** Takes the global flags out. Everything after `--` is left alone. */
export function takeGlobalFlags(argv: readonly string[]): SplitArguments {
  const rest: string[] = [];
  let namespace: string | undefined;
  let verbose = false;
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--") {
      rest.push(word, ...words);
      break;
    }
    const { flag, value } = splitFlag(word);
    if (flag === "-n" || flag === "--namespace") namespace = value ?? words.shift() ?? "";
    else if (word === "-v" || word === "--verbose") verbose = true;
    else if (isClusterFlag(flag)) throw clusterRefusal(flag);
    else if (IGNORED_WITH_VALUE.has(flag)) value ?? words.shift();
    else if (!IGNORED.has(flag)) rest.push(word);
  }
  return { globals: { namespace, verbose }, rest };
}

function splitFlag(word: string): { readonly flag: string; readonly value: string | undefined } {
  if (!word.startsWith("-")) return { flag: "", value: undefined };
  const equals = word.indexOf("=");
  return equals === -1
    ? { flag: word, value: undefined }
    : { flag: word.slice(0, equals), value: word.slice(equals + 1) };
}

function isClusterFlag(flag: string): boolean {
  return CLUSTER_FLAGS.includes(flag) || CLUSTER_SHORT[flag] !== undefined;
}

function clusterRefusal(flag: string): Error {
  const name = CLUSTER_SHORT[flag] ?? flag;
  return cannotRun(
    `${name} names a cluster or server, and this version of tiphys works on this machine only`,
    `leave out ${name}`,
  );
}
