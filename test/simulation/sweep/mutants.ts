/** Shells with one law broken each, that show what each kind of the sweep's faults can find. */

import type { JsonObject } from "../../../src/core/std/json.js";
import { isConflict, TransportError } from "../../../src/kube/errors.js";
import { mutants } from "../mutants/all.js";
import type { Mutant } from "../world/mutant.js";
import type { FaultKind } from "./fault-at.js";

export interface Exposed {
  readonly kind: FaultKind;
  readonly sample: string;
  readonly mutant: Mutant;
}

function known(name: string): Mutant {
  const mutant = mutants.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
  return mutant;
}

export const exposed: readonly Exposed[] = [
  { kind: "crash", sample: "pod-gc-on-pod-completion", mutant: known("delay in memory only") },
  { kind: "crash", sample: "hello-world", mutant: known("start without a start record") },
  {
    kind: "event",
    sample: "output-parameters",
    mutant: known("task result final on the pod's event alone"),
  },
  { kind: "stale", sample: "retry-by-hand", mutant: known("start from a stale list") },
  {
    kind: "conflict",
    sample: "hello-world",
    mutant: {
      name: "a save that met a conflict is sent again without its condition",
      breaks: "law 4",
      client: (client) => ({
        ...client,
        patch: async (type, key, patch, options) => {
          try {
            return await client.patch(type, key, patch, options);
          } catch (error) {
            if (!isConflict(error) || patch.type !== "merge") throw error;
            const { metadata: _metadata, ...body } = patch.body as JsonObject;
            return client.patch(type, key, { type: "merge", body }, options);
          }
        },
      }),
    },
  },
  {
    kind: "timeout",
    sample: "hello-world",
    mutant: {
      name: "a create without an answer is repeated under another name",
      breaks: "law 7",
      client: (client) => ({
        ...client,
        create: async (type, object, options) => {
          try {
            return await client.create(type, object, options);
          } catch (error) {
            if (!(error instanceof TransportError)) throw error;
            const metadata = { ...object.metadata, name: `${object.metadata.name}-2` };
            return client.create(type, { ...object, metadata }, options);
          }
        },
      }),
    },
  },
];
