import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Pod, PodSpec } from "../../core/model/kube/pod.js";
import { builtInTypes, configMaps, persistentVolumeClaims, pods } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import { SeededChance } from "../../kube/testing/seeded-chance.js";
import { openMemoryStore, openServer } from "../apiserver/index.js";
import type { BuiltinImage } from "./builtin.js";
import { type Kubelet, startKubelet } from "./kubelet.js";
import type { HostRuntimeOptions } from "./runtime/host/host-runtime.js";
import { hostFixture, realClock } from "./testing/host-fixture.js";
import { podOf } from "./testing/scripted-node.js";

// Real processes on a machine that may be busy: a limit against hanging, not a measure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const systemClock = realClock(() => Date.now());
const surroundings = { path: process.env["PATH"] ?? "/usr/bin:/bin", home: process.env["HOME"] ?? "/root" };
const fixture = await hostFixture({ ...surroundings, clock: systemClock });
afterAll(() => fixture.remove());

const chance = new SeededChance(1);
const builtinImages = new Map<string, BuiltinImage>([
  [
    "init",
    async (context) => {
      await writeFile(join(context.volumePath("staging"), "script"), "echo from $1\n", { mode: 0o755 });
      return { exitCode: 0 };
    },
  ],
  [
    "wait",
    async (context) => {
      const { exitCode } = await context.ended("main");
      const output = (await context.stdoutTail("main", 1000)).toString();
      return { exitCode: 0, message: `main ended with ${exitCode}: ${output}` };
    },
  ],
]);

interface Place {
  readonly client: Client;
  kubelet: Kubelet;
  /** The same place after its process was killed. */
  restart(): Promise<void>;
  run(name: string, spec: Partial<PodSpec>): Promise<Pod>;
  until(name: string, isDone: (pod: Pod) => boolean): Promise<Pod>;
  close(): Promise<void>;
}

async function openPlace(options: Partial<HostRuntimeOptions>): Promise<Place> {
  const server = await openServer({
    store: openMemoryStore(),
    clock: systemClock,
    chance,
    types: builtInTypes,
    rowFields: [],
  });
  const client = server.client();
  const start = async (): Promise<Kubelet> =>
    startKubelet({
      client,
      clock: systemClock,
      chance,
      runtime: await notStarted(options),
      builtinImages,
      podsFolder: fixture.podsFolder,
      claimsFolder: join(fixture.folder, "claims"),
      maxPods: 8,
    });
  const place: Place = {
    client,
    kubelet: await start(),
    async restart() {
      await place.kubelet.close();
      place.kubelet = await start();
    },
    async run(name, spec) {
      await client.create(pods, podOf(name, spec));
      return place.until(name, (pod) => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed");
    },
    async until(name, isDone) {
      const { items, resourceVersion } = await client.list<Pod>(pods, { namespace: "default" });
      const now = items.find((pod) => pod.metadata.name === name);
      if (now !== undefined && isDone(now)) return now;
      for await (const event of client.watch<Pod>(pods, { namespace: "default", resourceVersion })) {
        if (event.type !== "BOOKMARK" && event.object.metadata.name === name && isDone(event.object))
          return event.object;
      }
      throw new Error("the watch ended");
    },
    async close() {
      await place.kubelet.close();
      await server.close();
    },
  };
  return place;
}

async function notStarted(options: Partial<HostRuntimeOptions>) {
  const { HostRuntime } = await import("./runtime/host/host-runtime.js");
  return new HostRuntime({
    helperScript: fixture.helperScript,
    podsFolder: fixture.podsFolder,
    cacheFile: join(fixture.folder, `${options.isolation ?? "best"}.json`),
    baseEnv: { PATH: surroundings.path },
    home: surroundings.home,
    clock: systemClock,
    ...options,
  });
}

const messageOf = (pod: Pod, container: string) =>
  pod.status?.containerStatuses?.find((one) => one.name === container)?.state?.terminated?.message;

async function logOf(place: Place, pod: Pod): Promise<string> {
  const parts: string[] = [];
  for await (const block of place.kubelet.readLog(pod, "main")) parts.push(Buffer.from(block).toString());
  return parts.join("");
}

describe.each([{}, { isolation: "plain" }] as const)("host %j", (options) => {
  let place: Place;
  const label = "isolation" in options ? "plain" : "best";
  const named = (name: string) => `${label}-${name}`;
  beforeAll(async () => {
    place = await openPlace(options);
    return () => place.close();
  });

  test("a script that init stages, main runs and wait reports", async () => {
    const pod = await place.run(named("staged"), {
      volumes: [{ name: "staging", emptyDir: {} }],
      initContainers: [{ name: "init", image: "init" }],
      containers: [
        {
          name: "main",
          image: "any",
          command: ["sh"],
          args: ["/argo/staging/script", "$(WHO)"],
          env: [{ name: "WHO", value: "me" }],
          volumeMounts: [{ name: "staging", mountPath: "/argo/staging" }],
        },
        { name: "wait", image: "wait" },
      ],
    });
    expect(pod.status?.phase).toBe("Succeeded");
    expect(messageOf(pod, "wait")).toBe("main ended with 0: from me\n");
    expect(await logOf(place, pod)).toBe("from me\n");
    // It succeeded: its files go, its log does not.
    while (place.kubelet.held() > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await readdir(join(fixture.podsFolder, pod.metadata.uid ?? ""))).toEqual(["containers"]);
    expect(await readdir(join(fixture.podsFolder, pod.metadata.uid ?? "", "containers/main/0"))).not.toContain("fs");
  });

  test("the end of the log is the termination message of a failed container that asks for it", async () => {
    const pod = await place.run(named("message"), {
      containers: [
        {
          name: "main",
          image: "any",
          command: ["sh", "-c", "echo why; sleep 0.1; echo really >&2; exit 3"],
          terminationMessagePolicy: "FallbackToLogsOnError",
        },
      ],
    });
    expect(messageOf(pod, "main")).toBe("why\nreally\n");
  });

  test("of a long file the end is the termination message", async () => {
    const command = ["sh", "-c", 'seq 1 5000 > "$0"; echo really >> "$0"; exit 3', "/say/why"];
    const mount = { name: "say", mountPath: "/say" };
    const pod = await place.run(named("long-message"), {
      volumes: [{ name: "say", emptyDir: {} }],
      containers: [{ name: "main", image: "any", command, volumeMounts: [mount], terminationMessagePath: "/say/why" }],
    });
    const message = messageOf(pod, "main") ?? "";
    expect([message.length, message.endsWith("\n5000\nreally\n")]).toEqual([4096, true]);
  });

  test("the log of the run before the last restart", async () => {
    const main = { name: "main", image: "any", command: ["sh", "-c", "echo run; exit 3"] };
    await place.client.create(pods, podOf(named("again"), { restartPolicy: "OnFailure", containers: [main] }));
    const pod = await place.until(named("again"), (one) => one.status?.containerStatuses?.[0]?.restartCount === 1);
    const read = async (previous: boolean): Promise<string> => {
      const parts: string[] = [];
      for await (const block of place.kubelet.readLog(pod, "main", { previous })) parts.push(String(block));
      return parts.join("");
    };
    expect(await read(true)).toBe("run\n");
    await place.client.delete(pods, { namespace: "default", name: named("again") }, { gracePeriodSeconds: 0 });
  });

  test("what ran is told after a restart though its ConfigMap is gone by then", async () => {
    const cm = { namespace: "default", name: named("config") };
    await place.client.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: cm });
    await place.client.create(
      pods,
      podOf(named("bereft"), {
        volumes: [{ name: "config", configMap: { name: cm.name } }],
        containers: [{ name: "main", image: "any", command: ["sleep", "1000"] }],
      }),
    );
    await place.until(named("bereft"), (pod) => pod.status?.phase === "Running");
    await place.client.delete(configMaps, cm);
    await place.restart();
    const pod = await place.until(named("bereft"), (one) => one.status?.phase === "Failed");
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated?.reason).toBe("ContainerStatusUnknown");
  });

  test("a claim is one folder for all pods that name it", async () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: named("claim"), namespace: "default" },
    };
    await place.client.create(persistentVolumeClaims, claim);
    const path = join(fixture.folder, "mnt", label);
    const spec = (script: string): Partial<PodSpec> => ({
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: named("claim") } }],
      containers: [
        {
          name: "main",
          image: "any",
          command: ["sh", "-c", script],
          volumeMounts: [{ name: "data", mountPath: path }],
        },
      ],
    });
    await place.run(named("writer"), spec(`echo shared >${path}/file`));
    const reader = await place.run(named("reader"), spec(`cat ${path}/file`));
    expect(await logOf(place, reader)).toBe("shared\n");
  });

  test("a killed place: what ran is lost and not run again, what had ended is reported", async () => {
    const marker = join(fixture.folder, `marker-${label}`);
    await mkdir(marker);
    const main = { name: "main", image: "any", command: ["sh", "-c", `echo x >>${marker}/ran; exec sleep 1000`] };
    const mount = { name: "m", mountPath: marker };
    await place.client.create(
      pods,
      podOf(named("lost"), {
        volumes: [{ name: "m", hostPath: { path: marker } }],
        containers: [{ ...main, ...(label === "best" ? { volumeMounts: [mount] } : {}) }],
      }),
    );
    await place.until(named("lost"), (pod) => pod.status?.phase === "Running");
    const uid = (await place.client.get<Pod>(pods, { namespace: "default", name: named("lost") })).metadata.uid ?? "";
    const log = join(marker, "ran");
    while ((await readFile(log, "utf8").catch(() => "")) === "") await new Promise((resolve) => setImmediate(resolve));
    await place.restart();
    const pod = await place.until(named("lost"), (one) => one.status?.phase === "Failed");
    expect(pod.metadata.uid).toBe(uid);
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: "ContainerStatusUnknown",
    });
    expect(await readFile(log, "utf8")).toBe("x\n");
    await rm(marker, { recursive: true });
  });

  test("what a killed place had no time to clear away of a pod that has ended is cleared by the next", async () => {
    const pod = await place.run(named("uncleared"), {
      containers: [{ name: "main", image: "any", command: ["true"] }],
    });
    await place.kubelet.close();
    const run = join(fixture.podsFolder, pod.metadata.uid ?? "", "containers", "main", "0");
    const left = () => ["fs", "start.json"].filter((name) => existsSync(join(run, name)));
    expect(left()).toEqual([]);
    await mkdir(join(run, "fs"));
    await writeFile(join(run, "start.json"), JSON.stringify({ startedAt: 0 }));
    await place.restart();
    await place.restart();
    expect(left()).toEqual([]);
    expect(existsSync(join(run, "exit.json"))).toBe(true);
  });

  test("deleted while it runs: SIGTERM, and gone within its grace", async () => {
    await place.client.create(
      pods,
      podOf(named("deleted"), { containers: [{ name: "main", image: "any", command: ["sleep", "1000"] }] }),
    );
    await place.until(named("deleted"), (pod) => pod.status?.phase === "Running");
    await place.client.delete(pods, { namespace: "default", name: named("deleted") });
    while (
      (await place.client.list(pods, { namespace: "default" })).items.some(
        (pod) => pod.metadata.name === named("deleted"),
      )
    ) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(place.kubelet.running).toBe(0);
  });

  test("killed: nothing is left of a step that will not listen and was given all the time it wants", async () => {
    const own = await openPlace(options);
    const stubborn = {
      name: "main",
      image: "any",
      command: ["sh", "-c", 'trap "" TERM; echo up; while :; do sleep 1; done'],
    };
    const pod = podOf(named("stubborn"), { containers: [stubborn], terminationGracePeriodSeconds: 10_000 });
    const { metadata } = await own.client.create<Pod>(pods, pod);
    const running = await own.until(named("stubborn"), (one) => one.status?.phase === "Running");
    for await (const block of own.kubelet.readLog(running, "main", { follow: true })) {
      if (Buffer.from(block).toString() === "up\n") break;
    }
    await own.client.delete(pods, { namespace: "default", name: named("stubborn") });
    expect(await processesOf(metadata.uid ?? "")).not.toEqual([]);
    // In the middle of a close that goes its own way, too.
    await Promise.all([own.kubelet.close(), own.kubelet.kill()]);
    expect(await processesOf(metadata.uid ?? "")).toEqual([]);
    await own.close();
  });
});

/** Command names of what carries the pod's UID in its environment. */
async function processesOf(podUid: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const carrying = await Promise.all(
    pids.map(async (pid) => ((await read(pid, "environ")).includes(podUid) ? [await read(pid, "comm")] : [])),
  );
  return carrying.flat();
}
