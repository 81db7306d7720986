/** Plays a recorded case with processes of this machine. Nothing is done by the clock: each act waits for what it acts upon. */

import { readFile } from "node:fs/promises";
import { findStrays } from "../../../src/cluster/kubelet/runtime/host/strays.js";
import type { HostFixture } from "../../../src/cluster/kubelet/testing/host-fixture.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { workflows } from "../../../src/core/model/resources.js";
import { actsOf, NAMESPACE } from "../acts.js";
import type { LifecycleCase, RecordedPod } from "../case.js";
import { Observer } from "../observe.js";
import type { Played } from "../play.js";
import { HostCluster } from "./cluster.js";

/** Against hanging, not a measure. */
const LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 20;
/** SIGTERM in the masks of `/proc/PID/status`. */
const TERM_BIT = 1n << 14n;

export async function playOnHost(one: LifecycleCase, fixture: HostFixture): Promise<Played> {
  const cluster = await HostCluster.start(fixture);
  const seen = new Observer(cluster, cluster.clock.monotonic());
  try {
    const metadata = { ...one.submitted.metadata, namespace: NAMESPACE };
    await cluster.outside().create(workflows, { ...one.submitted, metadata });
    for (const { at, text, do: act } of actsOf(one)) {
      await until(cluster, seen, `before ${text}`, () => isReadyFor(cluster, one, at));
      await act(cluster);
    }
    await until(cluster, seen, "the end", () => isOver(one, seen));
    return { seen, broken: [...seen.broken, ...cluster.defects] };
  } finally {
    await cluster.stop();
  }
}

async function until(
  { clock }: HostCluster,
  seen: Observer,
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const limit = clock.monotonic() + LIMIT_MS;
  for (seen.look(); !(await isSo()); seen.look()) {
    if (clock.monotonic() > limit) throw new Error(`waited in vain for ${what}: ${seen.unrest().join("; ")}`);
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
}

/** At rest, the workflow done or gone, and each pod that the recording shows deleted is. */
function isOver(one: LifecycleCase, seen: Observer): boolean {
  const isDone = seen.workflow?.status?.finishedAt !== undefined || seen.workflowGoneAt !== undefined;
  return isDone && seen.pods.length >= one.pods.length && seen.unrest().length === 0;
}

/** What had begun by then in the recording has begun here, and has set itself up for the signals it speaks of. */
async function isReadyFor(cluster: HostCluster, one: LifecycleCase, at: number): Promise<boolean> {
  for (const recorded of one.pods) {
    if (!hadBegun(recorded, at)) continue;
    const pod = cluster.truth
      .pods()
      .find(({ metadata }) => metadata.annotations?.[annotations.nodeName] === recorded.node);
    if (pod === undefined || !hasBegun(pod)) return false;
    if (!(await listensAsSaid(pod))) return false;
  }
  return true;
}

function hadBegun({ runningAt, node }: RecordedPod, at: number): boolean {
  return node !== undefined && typeof runningAt === "number" && runningAt < at;
}

function hasBegun({ status }: Pod): boolean {
  const main = status?.containerStatuses?.find(({ name }) => name === "main")?.state;
  return main?.running !== undefined || main?.terminated !== undefined;
}

/**
 * A shell that traps SIGTERM does so a moment after it has begun. Only that shell counts: what makes its sandbox traps the
 * signal before it is there.
 */
async function listensAsSaid({ metadata, spec, status }: Pod): Promise<boolean> {
  const main = spec.containers.find(({ name }) => name === "main");
  const hasEnded = status?.phase === "Succeeded" || status?.phase === "Failed";
  if (hasEnded || !(main?.args ?? []).some((text) => /\btrap\b/.test(text))) return true;
  const argv = [...(main?.command ?? []), ...(main?.args ?? [])].join("\0");
  for await (const pid of findStrays((key) => key === `${metadata.uid}/main/0`)) {
    if ((await argvOf(pid)) === argv && ((await masksOf(pid)) & TERM_BIT) !== 0n) return true;
  }
  return false;
}

async function argvOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replace(/\0$/, "");
}

/** Signals that a process ignores or catches. */
async function masksOf(pid: number): Promise<bigint> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = [...text.matchAll(/^Sig(?:Ign|Cgt):\s*([0-9a-f]+)$/gm)].map(([, hex]) => BigInt(`0x${hex}`));
  return found.reduce((all, mask) => all | mask, 0n);
}
