/** The conformance suite of the client port: every transport and every server behind it passes the same. */

import { describe } from "vitest";
import { createCases, doorCases, nameCases, updateCases } from "./client-suite/crud.js";
import { collectionCases, deleteCases, podDeleteCases } from "./client-suite/deletes.js";
import { type ClientHarness, type MakeClient, opening } from "./client-suite/harness.js";
import { listCases, revisionCases, selectorCases, watchCases } from "./client-suite/lists-and-watches.js";
import { patchCases, patchPreconditionCases } from "./client-suite/patches.js";

export type { ClientHarness, MakeClient };

/** To be called at the top of a test file. `makeClient` opens a new, empty server for each test. */
export function clientSuite(name: string, makeClient: MakeClient): void {
  describe(name, () => {
    const open = opening(makeClient);
    for (const [topic, groups] of topics) {
      describe(topic, () => {
        for (const cases of groups) cases(open);
      });
    }
  });
}

type Cases = (open: MakeClient) => void;

const topics: readonly (readonly [topic: string, groups: readonly Cases[]])[] = [
  ["create, get, update", [createCases, nameCases, updateCases, doorCases]],
  ["list", [listCases, selectorCases]],
  ["watch", [watchCases, revisionCases]],
  ["patch", [patchCases, patchPreconditionCases]],
  ["delete", [deleteCases, podDeleteCases]],
  ["collection by owner", [collectionCases]],
];
