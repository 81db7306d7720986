/** The elements of a list without those that are equal to an earlier one. */

import { equalValues } from "./operations.js";
import { type ExprValue, isList, isMap, ValueFault } from "./value.js";

/** Lists and maps are compared one by one. */
const MAX_COMPARED = 10_000_000;

/** `keyOf`: what a scalar is known by; equal ones have one key. */
export function distinct(list: readonly ExprValue[], keyOf: (scalar: ExprValue) => ExprValue): readonly ExprValue[] {
  const scalars = new Set<ExprValue>();
  const others: ExprValue[] = [];
  let compared = 0;
  return list.filter((element) => {
    if (!isList(element) && !isMap(element) && (typeof element !== "object" || element === null)) {
      const key = keyOf(element);
      const isNew = !scalars.has(key);
      scalars.add(key);
      return isNew;
    }
    compared += others.length;
    if (compared > MAX_COMPARED) throw new ValueFault("memory budget exceeded");
    if (others.some((other) => equalValues(other, element))) return false;
    others.push(element);
    return true;
  });
}
