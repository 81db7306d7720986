/** What packing and unpacking are asked for: values, so that another thread can be asked as well. */

export type PackFormat =
  /** With gzip; `level` -2 to 9 as Argo's compressionLevel, -1 the default, -2 Huffman codes only. */
  { readonly kind: "tar"; readonly level: number } | { readonly kind: "zip" };

export interface PackRequest {
  /** File or folder. */
  readonly source: string;
  /** Of the archive's one top-level entry. */
  readonly name: string;
  /** The archive; must not exist. */
  readonly target: string;
  readonly format: PackFormat;
}

export interface UnpackRequest {
  readonly source: string;
  /** Must not exist: the archive's one top-level entry, or a folder with all of several. */
  readonly target: string;
  /** `tar` with or without gzip. */
  readonly format: "tar" | "zip";
  readonly limits?: UnpackLimits;
}

/** Against archives that are small and unpack to fill a disk. */
export interface UnpackLimits {
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** Unpacked to packed bytes; counts only from `ratioFromBytes` unpacked bytes on. */
  readonly ratioMax: number;
  readonly ratioFromBytes: number;
  readonly nameBytesMax: number;
  readonly depthMax: number;
}

export const defaultUnpackLimits: UnpackLimits = {
  entriesMax: 2_000_000,
  bytesMax: 256 * 2 ** 30,
  ratioMax: 1100,
  ratioFromBytes: 2 ** 30,
  nameBytesMax: 4096,
  depthMax: 256,
};
