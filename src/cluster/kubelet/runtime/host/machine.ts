/** What the host driver knows of this machine: found once, then only read. */

export type Isolation = "full" | "no-proc" | "plain";

export interface Tools {
  readonly sh: string;
  readonly setpriv: string | undefined;
  readonly unshare: string | undefined;
  readonly mount: string | undefined;
  readonly umount: string | undefined;
  readonly pivotRoot: string | undefined;
  readonly nsenter: string | undefined;
}

/** The layout of `/` as a sandbox shows it. */
export interface RootLayout {
  /** Top-level names that are symbolic links, with their targets (`bin` -> `usr/bin`). */
  readonly links: Readonly<Record<string, string>>;
  /** Top-level folders that can carry an overlay. */
  readonly overlays: readonly string[];
  /** Top-level folders that cannot: shown read only. */
  readonly binds: readonly string[];
  /** Mount points below them, which an overlay would hide. */
  readonly submounts: readonly string[];
  /** Folders whose content is not shown: homes, run. */
  readonly masked: readonly string[];
  /** Paths below masked folders that are shown read only: where programs on PATH are installed. */
  readonly shown: readonly string[];
  /** Device files that are shown. */
  readonly devices: readonly string[];
}

export interface Machine {
  readonly isolation: Isolation;
  /** Why isolation is not full, and how to get it; for people. */
  readonly why: string | undefined;
  /** Not root: the sandbox needs a user namespace. */
  readonly userNamespace: boolean;
  readonly tools: Tools;
  readonly layout: RootLayout;
}
