/** What the containers of `examples/` do: they run shells, which the simulator has not. By template. */

import { defaultOutcome, type ScriptOutcome } from "../../../src/cluster/kubelet/index.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";

type Outcome = Partial<ScriptOutcome>;

/** By the workflow's name and the node's last part, or by the workflow's name alone. */
const outcomes: Readonly<Record<string, Outcome>> = {
  "artifacts write": { files: { "/work/out/letter.txt": "dear reader\n" } },
  "daemon serve": { durationMs: undefined },
  "output-parameters make": { files: { "/tmp/version.txt": "1.2.3\n" } },
  "retry retry(0)": { exitCode: 1 },
  "script-result roll": { stdout: "4\n" },
};

/** Undefined for what is not one of the examples' containers. */
export function exampleOutcome({ metadata }: Pod, _container: Container): ScriptOutcome {
  const node = metadata.annotations?.[annotations.nodeName] ?? "";
  const [workflow = ""] = node.split(/[.([]/);
  const step = node.split(".").pop() ?? "";
  return { ...defaultOutcome, durationMs: 200, ...outcomes[`${workflow} ${step}`] };
}
