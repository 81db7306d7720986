/** How long a pod held how much of each resource, in whole seconds of a unit (Argo 4.1 behaviour 3.23). */

import { compareUtf8 } from "../std/order.js";
import { milliValue, parseQuantity } from "../std/quantity.js";
import { msOfRfc3339 } from "../std/time.js";
import { allContainers } from "./containers.js";
import type { ContainerView, PodView } from "./view.js";

/** In thousandths. */
type Amounts = ReadonlyMap<string, bigint>;

const DEFAULTS: Amounts = new Map([
  ["cpu", milliOf("100m")],
  ["memory", milliOf("100Mi")],
]);
/** What counts as one: 100Mi of memory, 10Gi of storage, one of anything else. */
const UNITS: Amounts = new Map([
  ["memory", milliOf("100Mi")],
  ["storage", milliOf("10Gi")],
  ["ephemeral-storage", milliOf("10Gi")],
]);
const ONE = 1000n;

/** Resource name -> seconds, names in order; `now` (milliseconds) ends what still runs. */
export function resourcesDurationOf(view: PodView, now: number): Readonly<Record<string, number>> {
  const totals = new Map<string, bigint>();
  for (const container of allContainers(view)) {
    const seconds = BigInt(secondsRun(container, now));
    for (const [name, amount] of amountsOf(container)) {
      const held = (amount * seconds) / (UNITS.get(name) ?? ONE);
      totals.set(name, (totals.get(name) ?? 0n) + held);
    }
  }
  const sorted = [...totals].sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(sorted.map(([name, total]) => [name, Number(total)]));
}

function amountsOf({ limits, requests }: ContainerView): Amounts {
  const amounts = new Map(DEFAULTS);
  for (const given of [limits, requests])
    for (const [name, quantity] of Object.entries(given)) amounts.set(name, milliOf(quantity));
  return amounts;
}

/** What is no quantity counts as nothing: a pod's text never makes a pass fail. */
function milliOf(text: string): bigint {
  const quantity = parseQuantity(text);
  return quantity.ok ? BigInt(milliValue(quantity.value)) : 0n;
}

function secondsRun({ state }: ContainerView, now: number): number {
  if (state.kind !== "running" && state.kind !== "terminated") return 0;
  const start = msOfRfc3339(state.startedAt ?? "");
  const end = state.kind === "running" ? now : msOfRfc3339(state.finishedAt ?? "");
  if (start === undefined || end === undefined) return 0;
  return Math.max(0, Math.floor((end - start) / 1000));
}
