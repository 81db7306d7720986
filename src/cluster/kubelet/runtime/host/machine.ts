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
  /** Symbolic links outside of the folders below, with their targets (`/bin` -> `usr/bin`). */
  readonly links: Readonly<Record<string, string>>;
  /** Folders that can carry an overlay: top-level ones, and what is in those that cannot as a whole. */
  readonly overlays: readonly string[];
  /** Folders that cannot: shown read only. */
  readonly binds: readonly string[];
  /** Files beside them: shown read only. */
  readonly files: readonly string[];
  /** Mount points below them, which an overlay would hide. */
  readonly submounts: readonly string[];
  /** Folders whose content is not shown: homes, run. */
  readonly masked: readonly string[];
  /** Paths below masked folders that are shown read only: where programs on PATH are installed. */
  readonly shown: readonly string[];
  /** Device files that are shown, by their names in /dev. */
  readonly devices: readonly string[];
  /** Folders of device files that are shown, by their names in /dev. */
  readonly deviceFolders: readonly string[];
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
