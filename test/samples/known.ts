/** What is known of the samples: where chance plays, and what is otherwise here than on the cluster, with the reason. */

/** `values`: numbers differ; `branches`: which nodes there are differs too. */
export type Chance = "values" | "branches";

export const chances: Readonly<Record<string, Chance>> = {
  "coinflip-recursive": "branches",
  coinflip: "branches",
  "conditional-artifacts": "branches",
  "conditional-parameters": "branches",
  "conditionals-complex": "branches",
  "dag-conditional-artifacts": "branches",
  "dag-conditional-parameters": "branches",
  "retry-container": "branches",
  "retry-script": "branches",
  "scripts-bash": "values",
  "scripts-javascript": "values",
  "scripts-python": "values",
  "withsequence-nested-result": "branches",
};

export interface KnownDifference {
  /** Of the differences' paths. */
  readonly path: RegExp;
  readonly why: string;
}

/** Differences that are right as they are. */
export const knownDifferences: Readonly<Record<string, readonly KnownDifference[]>> = {};
/** Samples that do not succeed here as on the cluster, with the reason. */
export const notSucceeding: Readonly<Record<string, string>> = {};
