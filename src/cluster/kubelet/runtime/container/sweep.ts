/** What earlier processes left in the container program: found by label, kept where it can be taken up, else removed. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRecords } from "../host/records.js";
import type { Cli } from "./cli.js";
import { labels } from "./context.js";
import { containerDetails } from "./details.js";
import { type ContainerFacts, parseContainers } from "./inspect.js";
import { HOLDER } from "./pod-network.js";
import { removeContainers } from "./remove-containers.js";
import { keptImage } from "./shell.js";

/** Containers of this place that run and are kept. */
export interface Left {
  /** Those that hold a pod's network, by the pod's UID. */
  readonly holders: ReadonlyMap<string, ContainerFacts>;
  readonly steps: readonly ContainerFacts[];
}

/** Rejects with CommandError when the program does not answer. */
export async function sweep(cli: Cli, place: string): Promise<Left> {
  const facts = await ofAllPlaces(cli);
  const judged = await Promise.all(facts.map(async (one) => ({ facts: one, verdict: await judge(one, place) })));
  const used = new Set(judged.flatMap(({ facts: one, verdict }) => (verdict === "keep" ? [podUidOf(one)] : [])));
  const those = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).map((one) => one.facts);
  // One whose network kept containers have goes with them: podman refuses to remove it before.
  await removeWithCopies(
    cli,
    those("remove").filter((one) => !(isHolder(one) && used.has(podUidOf(one)))),
  );
  return { holders: new Map(those("holder").map((one) => [podUidOf(one), one])), steps: those("running") };
}

/** All that a place has, which is to be removed. Rejects with CommandError. */
export async function removeOfPlace(cli: Cli, place: string): Promise<void> {
  const own = (await ofAllPlaces(cli)).filter(({ labels: marks }) => marks[labels.place] === place);
  await removeWithCopies(cli, [...own.filter((one) => !isHolder(one)), ...own.filter(isHolder)]);
}

async function ofAllPlaces(cli: Cli): Promise<readonly ContainerFacts[]> {
  const listed = await cli.demand(["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${labels.place}`]);
  const ids = listed.split("\n").filter((id) => id !== "");
  if (ids.length === 0) return [];
  // Another process may remove its own at this moment: what is left is told all the same.
  return parseContainers((await cli.ask(["container", "inspect", ...ids])).stdout);
}

function isHolder({ labels: marks }: ContainerFacts): boolean {
  return (marks[labels.container] ?? HOLDER) === HOLDER;
}

/** Of pods that are not known any more. Rejects with CommandError. */
export async function endOthers(cli: Cli, left: Left, isKnown: (podUid: string) => boolean): Promise<void> {
  // Holders last: the others use their networks.
  const doomed = [...left.steps, ...left.holders.values()].filter((one) => !isKnown(podUidOf(one)));
  await removeWithCopies(cli, doomed);
}

async function removeWithCopies(cli: Cli, doomed: readonly ContainerFacts[]): Promise<void> {
  const ids = doomed.map(({ id }) => id);
  await removeContainers(cli, ids);
  if (ids.length > 0) await cli.ask(["rmi", "--force", ...ids.map(keptImage)]);
}

function podUidOf({ labels: marks }: ContainerFacts): string {
  return marks[labels.podUid] ?? "";
}

type Verdict = "remove" | "keep" | "running" | "holder";

async function judge({ id, labels: marks, state }: ContainerFacts, place: string): Promise<Verdict> {
  const home = marks[labels.place] ?? "";
  // A place that was removed took nothing along.
  if (!existsSync(home)) return "remove";
  if (home !== place) return "keep";
  const podFolder = join(place, marks[labels.podUid] ?? "");
  const container = marks[labels.container] ?? HOLDER;
  if (!existsSync(podFolder)) return "remove";
  if (container === HOLDER) return state === "running" ? "holder" : "remove";
  const { start, exit } = readRecords(join(podFolder, "containers", container, marks[labels.restart] ?? "0"));
  // Made, and never put on record: it was not started, and its name is wanted.
  if (containerDetails(start?.details)?.id !== id) return "remove";
  if (state === "running") return "running";
  // Over before it began: it has nothing to look at.
  return state === "created" && exit !== undefined ? "remove" : "keep";
}
