/** Variables that choose a cluster for Argo's own program; here they choose nothing, and the command says so once. */

import { type Context, notice } from "../context.js";

const TARGETS = [
  ...["KUBECONFIG", "ARGO_SERVER", "ARGO_KUBECONFIG", "ARGO_CONTEXT"],
  ...["ARGO_HTTP1", "ARGO_TOKEN", "ARGO_INSTANCEID"],
];

/** One line, when at least one of them is set. */
export function tellIgnoredTargets(context: Context): void {
  const set = TARGETS.filter((name) => context.ports.env.get(name));
  if (set.length === 0) return;
  notice(
    context,
    `${set.join(", ")} ${set.length === 1 ? "is" : "are"} set and ignored: this works on this machine only`,
  );
}
