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

/** The holders that run, by their pod's UID. Rejects with CommandError when the program does not answer. */
export async function sweep(cli: Cli, place: string): Promise<ReadonlyMap<string, ContainerFacts>> {
  const listed = await cli.demand(["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${labels.place}`]);
  const ids = listed.split("\n").filter((id) => id !== "");
  if (ids.length === 0) return new Map();
  // Another process may remove its own at this moment: what is left is told all the same.
  const facts = parseContainers((await cli.ask(["container", "inspect", ...ids])).stdout);
  const judged = await Promise.all(facts.map(async (one) => ({ facts: one, verdict: await judge(one, place) })));
  const doomed = judged.filter(({ verdict }) => verdict === "remove").map((one) => one.facts.id);
  await removeContainers(cli, doomed);
  if (doomed.length > 0) await cli.ask(["rmi", "--force", ...doomed.map(keptImage)]);
  const holders = judged.filter(({ verdict }) => verdict === "holder").map((one) => one.facts);
  return new Map(holders.map((one) => [one.labels[labels.podUid] ?? "", one]));
}

type Verdict = "remove" | "keep" | "holder";

async function judge({ id, labels: marks, state }: ContainerFacts, place: string): Promise<Verdict> {
  const home = marks[labels.place] ?? "";
  // A place that was removed took nothing along.
  if (!existsSync(home)) return "remove";
  if (home !== place) return "keep";
  const podFolder = join(place, marks[labels.podUid] ?? "");
  const container = marks[labels.container] ?? HOLDER;
  if (!existsSync(podFolder)) return "remove";
  if (container === HOLDER) return state === "running" ? "holder" : "remove";
  const { start } = readRecords(join(podFolder, "containers", container, marks[labels.restart] ?? "0"));
  // Made, and never put on record: it was not started, and its name is wanted.
  return containerDetails(start?.details)?.id === id ? "keep" : "remove";
}
