import fc from "fast-check";
import { expect, test } from "vitest";
import type { RowChange } from "./port.js";
import { RowTable } from "./row-table.js";

const id = fc.constantFrom("a", "b", "c", "7", "__proto__", "constructor");
const change: fc.Arbitrary<RowChange> = fc.record({ id, value: fc.option(fc.integer(), { nil: undefined }) });

/** Which table to change (counted from the newest), and how; mostly the newest. */
const step = fc.record({ back: fc.oneof(fc.constant(0), fc.nat(5)), changes: fc.array(change, { maxLength: 4 }) });

test("every version stays what it was, whatever is made of it", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const tables = [RowTable.empty()];
      const models: ReadonlyMap<string, unknown>[] = [new Map()];
      for (const [index, { back, changes }] of steps.entries()) {
        const from = Math.max(0, tables.length - 1 - back);
        tables.push((tables[from] ?? RowTable.empty()).with(changes, index + 1));
        models.push(changed(models[from] ?? new Map(), changes));
      }
      for (const [index, table] of tables.entries()) {
        const model = models[index] ?? new Map();
        expect(new Map(Object.entries(table.whole()))).toEqual(model);
        for (const name of ["a", "b", "c", "7", "__proto__", "constructor"])
          expect(table.get(name)).toBe(model.get(name));
        expect([...table.ids()].sort()).toEqual([...model.keys()].sort());
      }
    }),
  );
});

function changed(model: ReadonlyMap<string, unknown>, changes: readonly RowChange[]): ReadonlyMap<string, unknown> {
  const next = new Map(model);
  for (const { id: name, value } of changes) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

test("the whole is one frozen object as long as somebody holds it, and its members are data", () => {
  const table = RowTable.empty().with([{ id: "__proto__", value: { x: 1 } }], 1);
  const whole = table.whole();
  expect(table.whole()).toBe(whole);
  expect(table.isWhole(whole)).toBe(true);
  expect(table.isWhole({ ...whole })).toBe(false);
  expect(Object.isFrozen(whole)).toBe(true);
  expect(Object.getPrototypeOf(whole)).toBe(Object.prototype);
  expect(JSON.stringify(whole)).toBe('{"__proto__":{"x":1}}');
});

test("a change of one in a hundred thousand does not copy the others", () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: `n${index}`, value: index }));
  let table = RowTable.empty().with(rows, 1);
  const first = table;
  // Copied each time, this would take minutes.
  for (let revision = 2; revision < 5_000; revision++) table = table.with([{ id: "n7", value: revision }], revision);
  expect([first.get("n7"), table.get("n7"), table.placeOf("n7")?.revision, table.placeOf("n8")?.revision]).toEqual([
    7, 4_999, 4_999, 1,
  ]);
});
