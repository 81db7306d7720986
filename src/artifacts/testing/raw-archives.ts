/** Archives as a hostile hand would make them: byte for byte, whatever the names. */

import { deflateRawSync } from "node:zlib";

export interface RawEntry {
  readonly name: string;
  /** As in a tar header: 0 file, 1 hard link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 pipe. */
  readonly type?: string;
  readonly linkname?: string;
  readonly mode?: number;
  readonly content?: string;
}

const BLOCK = 512;

export function rawTar(entries: readonly RawEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(rawTarEntry), Buffer.alloc(2 * BLOCK)]);
}

function rawTarEntry({ name, type = "0", linkname = "", mode = 0o644, content = "" }: RawEntry): readonly Buffer[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
  header.write("0000000\x000000000\0", 108);
  const bytes = Buffer.from(content);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(linkname, 157, 100);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
  return [header, bytes, padding];
}

export interface RawZipEntry {
  readonly name: string;
  /** With the type's bits: 0o100644 a file, 0o120777 a symbolic link. */
  readonly mode?: number;
  readonly content?: string;
  /** What the directory claims, if not the truth. */
  readonly claimedSize?: number;
}

/** Checksums are left zero: a reader that checks them refuses later than one that looks at names. */
export function rawZip(entries: readonly RawZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, mode = 0o100644, content = "", claimedSize } of entries) {
    const [nameBytes, data] = [Buffer.from(name), deflateRawSync(Buffer.from(content))];
    const size = claimedSize ?? Buffer.byteLength(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    writeCommon(local, 4, { compressed: data.length, size, nameLength: nameBytes.length });
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    writeCommon(central, 6, { compressed: data.length, size, nameLength: nameBytes.length });
    central.writeUInt32LE(mode * 0x10000, 38);
    central.writeUInt32LE(offset, 42);
    parts.push(local, nameBytes, data);
    directory.push(central, nameBytes);
    offset += local.length + nameBytes.length + data.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directoryBytes, end]);
}

interface CommonFields {
  readonly compressed: number;
  readonly size: number;
  readonly nameLength: number;
}

/** From "version needed" to the name's length: the same in both headers. */
function writeCommon(header: Buffer, at: number, { compressed, size, nameLength }: CommonFields): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(8, at + 4);
  header.writeUInt32LE(compressed, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}
