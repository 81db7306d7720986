/** All builtins without a predicate, by name. */

import { collectionRows } from "./collections.js";
import { numberRows } from "./numbers.js";
import type { BuiltinRow } from "./row.js";
import { stringRows } from "./strings.js";
import { timeRows } from "./times.js";

export const builtinRows: ReadonlyMap<string, BuiltinRow> = new Map([
  ...stringRows,
  ...numberRows,
  ...collectionRows,
  ...timeRows,
]);
