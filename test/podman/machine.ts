/** A container program of this machine with a store of its own, and one image made from local files. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "tar-stream";
import type { ContainerProgramName } from "../../src/cluster/kubelet/runtime/container/program.js";
import { bundledHelper } from "./bundles.js";
import { IMAGE } from "./image.js";

export interface ContainerMachine {
  readonly program: ContainerProgramName;
  /** The program's settings are in it. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The bundled helper process. */
  readonly helperScript: string;
  /** There is a program to be the first process of containers (Debian: catatonit). */
  readonly hasInit: boolean;
  cli(...args: readonly string[]): Promise<Answer>;
  remove(): Promise<void>;
}

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * podman with a store below a temporary folder; with TIPHYS_TEST_PROGRAM=docker the daemon that DOCKER_HOST names. A
 * text says why there is none.
 */
export async function containerMachine(): Promise<ContainerMachine | string> {
  const program = process.env["TIPHYS_TEST_PROGRAM"] === "docker" ? "docker" : "podman";
  const folder = await mkdtemp(join(tmpdir(), `tiphys-${program}-`));
  const busybox = await staticBusybox();
  if (busybox === undefined) return "no static busybox to make an image of (Debian: busybox-static)";
  const rootfs = join(folder, "rootfs.tar");
  await writeFile(rootfs, await busyboxTar(busybox));
  let reason = "";
  for (const settings of program === "docker" ? [{}] : [await ownStore(folder, ""), await ownStore(folder, MODEST)]) {
    const env = { ...environment(), ...settings };
    const cli = (...args: readonly string[]): Promise<Answer> => answerOf(program, args, env);
    const imported = await cli("import", "--change", 'CMD ["sh"]', rootfs, IMAGE);
    const tried = imported.exitCode === 0 ? await cli("run", "--rm", IMAGE, "true") : imported;
    if (tried.exitCode === 0) {
      const helperScript = await bundledHelper();
      const removeAll = async (): Promise<void> => {
        // Of the store of its own only: `system reset` would take the user's networks along.
        if (program === "podman") for (const words of [["rm"], ["rmi"]]) await cli(...words, "--all", "--force");
        await rm(folder, { recursive: true, force: true });
      };
      const hasInit = (await cli("run", "--rm", "--init", IMAGE, "true")).exitCode === 0;
      return { program, env, folder, helperScript, hasInit, cli, remove: removeAll };
    }
    reason = `${program} cannot run a container here: ${tried.stderr.trim() || `exit ${tried.exitCode}`}`;
  }
  await rm(folder, { recursive: true, force: true });
  return reason;
}

/** For machines that allow less than podman expects: old control groups, fixed limits. */
const MODEST = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
`;

async function ownStore(folder: string, config: string): Promise<Readonly<Record<string, string>>> {
  const storage = join(folder, "storage.conf");
  const containers = join(folder, "containers.conf");
  const root = join(folder, "store");
  await mkdir(root, { recursive: true });
  await writeFile(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${join(root, "graph")}"\nrunroot = "${join(root, "run")}"\n`,
  );
  await writeFile(containers, config);
  return { CONTAINERS_STORAGE_CONF: storage, ...(config === "" ? {} : { CONTAINERS_CONF: containers }) };
}

function environment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

function answerOf(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
      resolve({ exitCode: code, stdout, stderr: stderr || (error?.message ?? "") });
    });
  });
}

async function staticBusybox(): Promise<Buffer | undefined> {
  const path = ["/bin/busybox", "/usr/bin/busybox"];
  for (const one of path) {
    const bytes = await readFile(one).catch(() => undefined);
    // A program that needs a loader names it.
    if (bytes !== undefined && !bytes.includes("/ld-linux") && !bytes.includes("/ld-musl")) return bytes;
  }
  return undefined;
}

async function busyboxTar(busybox: Buffer): Promise<Buffer> {
  const tar = pack();
  for (const name of ["bin/", "tmp/", "root/", "etc/", "proc/", "sys/", "dev/"]) {
    tar.entry({ name, type: "directory", mode: name === "tmp/" ? 0o1777 : 0o755 });
  }
  tar.entry({ name: "bin/busybox", mode: 0o755 }, busybox);
  const applets = [
    "sh",
    "cat",
    "echo",
    "env",
    "id",
    "ls",
    "ln",
    "mkdir",
    "chmod",
    "head",
    "yes",
    "sleep",
    "true",
    "rm",
  ];
  for (const applet of [...applets, "hostname", "nc", "pwd", "touch", "printf", "tail", "kill", "dd", "test"]) {
    tar.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  }
  tar.entry({ name: "etc/passwd" }, "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n");
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}
