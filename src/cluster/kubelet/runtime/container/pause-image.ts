/**
 * An image of one tiny program that does nothing until it is killed: it holds a pod's network while containers come
 * and go. It is made here, byte by byte, so that nothing has to be pulled for it.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "tar-stream";
import type { Cli } from "./cli.js";

export const PAUSE_IMAGE = "localhost/tiphys-pause:1";
const PROGRAM = "/pause";

/** ELF's number of a machine, and the machine code. */
interface Code {
  readonly elfMachine: number;
  readonly bytes: readonly number[];
}

const codes: Readonly<Record<string, Code>> = {
  x64: {
    elfMachine: 0x3e,
    bytes: [
      ...[0xb8, 0x22, 0x00, 0x00, 0x00], // mov eax, 34 (pause)
      ...[0x0f, 0x05], // syscall
      ...[0xeb, 0xf7], // jmp to the begin
    ],
  },
  arm64: {
    elfMachine: 0xb7,
    bytes: [
      ...[0x00, 0x00, 0x80, 0xd2], // mov x0, 0
      ...[0x01, 0x00, 0x80, 0xd2], // mov x1, 0
      ...[0x02, 0x00, 0x80, 0xd2], // mov x2, 0
      ...[0x03, 0x00, 0x80, 0xd2], // mov x3, 0
      ...[0x28, 0x09, 0x80, 0xd2], // mov x8, 73 (ppoll: of nothing, without end)
      ...[0x01, 0x00, 0x00, 0xd4], // svc 0
      ...[0xfa, 0xff, 0xff, 0x17], // b to the begin
    ],
  },
};

const HEADER_BYTES = 64;
const SEGMENT_HEADER_BYTES = 56;
const LOAD_ADDRESS = 0x400000;

/** A whole static ELF executable; undefined for a machine it was not written for. */
export function pauseProgram(architecture: string): Buffer | undefined {
  const code = codes[architecture];
  if (code === undefined) return undefined;
  const codeAt = HEADER_BYTES + SEGMENT_HEADER_BYTES;
  const file = Buffer.alloc(codeAt + code.bytes.length);
  // Header: 64 bits, little endian, executable, entry, one segment.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(code.elfMachine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS + codeAt), 24);
  file.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  file.writeUInt16LE(HEADER_BYTES, 52);
  file.writeUInt16LE(SEGMENT_HEADER_BYTES, 54);
  file.writeUInt16LE(1, 56);
  // The segment: loaded as it is, readable and executable.
  file.writeUInt32LE(1, HEADER_BYTES);
  file.writeUInt32LE(5, HEADER_BYTES + 4);
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS), HEADER_BYTES + 16);
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS), HEADER_BYTES + 24);
  file.writeBigUInt64LE(BigInt(file.length), HEADER_BYTES + 32);
  file.writeBigUInt64LE(BigInt(file.length), HEADER_BYTES + 40);
  file.writeBigUInt64LE(0x1000n, HEADER_BYTES + 48);
  file.set(code.bytes, codeAt);
  return file;
}

/** Makes the image where it is missing. Rejects with CommandError, or when the machine is of an unknown kind. */
export async function ensurePauseImage(cli: Cli, architecture: string): Promise<void> {
  const known = await cli.ask(["image", "inspect", PAUSE_IMAGE]);
  if (known.exitCode === 0) return;
  const program = pauseProgram(architecture);
  if (program === undefined) {
    throw new Error(`pods of several containers cannot be run on ${architecture} by this program`);
  }
  const folder = await mkdtemp(join(tmpdir(), "tiphys-pause-"));
  try {
    const file = join(folder, "rootfs.tar");
    await writeFile(file, await rootfs(program));
    await cli.demand(["import", "--change", `ENTRYPOINT ["${PROGRAM}"]`, file, PAUSE_IMAGE]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rootfs(program: Buffer): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: PROGRAM.slice(1), mode: 0o755 }, program);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}
