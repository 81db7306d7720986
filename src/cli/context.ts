/** What every command works with: ports, looks of the two outputs, where places lie, flags before any command's own. */

import { resolve } from "node:path";
import { withNodesInPlace } from "./places/nodes-in-place.js";
import type { PlaceError, Ports } from "./ports.js";
import { type Style, styleFor } from "./print/style.js";
import { SignalDesk } from "./signals.js";

export interface Context {
  readonly ports: Ports;
  /** Those of the ports, without echoes. */
  readonly signals: SignalDesk;
  /** For what is written to stdout. */
  readonly out: Style;
  /** For what is written to stderr. */
  readonly err: Style;
  /** The folder that holds places; may not exist yet. */
  readonly home: string;
  readonly globals: GlobalFlags;
  /** `-q`: nothing is told that was not asked for. */
  readonly quiet: boolean;
  /** Folders of places that could not be read: each is told once, and what was asked of all places is not whole. */
  readonly leftOut: Set<string>;
  /** Folders of places whose owner gave no answer, and what was said of it: none is waited for twice. */
  readonly silent: Map<string, PlaceError>;
}

export interface GlobalFlags {
  /** From `-n`; undefined is every namespace for looking up, and the environment's or "default" for creating. */
  readonly namespace: string | undefined;
  readonly verbose: boolean;
}

export interface LookFlags {
  readonly noColor?: boolean;
  readonly noUtf8?: boolean;
  readonly quiet?: boolean;
}

export function makeContext(ports: Ports, globals: GlobalFlags, look: LookFlags): Context {
  const flags = { env: ports.env, ...look };
  return {
    ports: { ...ports, places: async () => withNodesInPlace(await ports.places()) },
    signals: new SignalDesk(ports.signals, ports.clock),
    globals,
    quiet: look.quiet === true,
    leftOut: new Set(),
    silent: new Map(),
    home: homeFolder(ports),
    out: styleFor({ ...flags, isTTY: ports.stdout.isTTY }),
    err: styleFor({ ...flags, isTTY: ports.stderr.isTTY }),
  };
}

/** $TIPHYS_HOME, else $XDG_STATE_HOME/tiphys, else ~/.local/state/tiphys. */
export function homeFolder(ports: Pick<Ports, "env" | "home" | "cwd">): string {
  const own = ports.env.get("TIPHYS_HOME");
  if (own) return resolve(ports.cwd, own);
  const state = ports.env.get("XDG_STATE_HOME");
  // The XDG specification: a relative path there is to be ignored.
  if (state?.startsWith("/")) return resolve(state, "tiphys");
  return resolve(ports.home, ".local/state/tiphys");
}

/** Where a new object goes that names no namespace itself. */
export function defaultNamespace(context: Context): string {
  return context.globals.namespace || context.ports.env.get("ARGO_NAMESPACE") || "default";
}

/** One line on stderr that tells something without being asked. */
export function notice(context: Context, text: string): void {
  if (context.quiet) return;
  context.ports.stderr.write(`${context.err.paint.dim(text)}\n`);
}

/** Also with `-q`: what was asked for is not whole. */
export function warn(context: Context, text: string): void {
  context.ports.stderr.write(`${context.err.paint.yellow("warning")}: ${text}\n`);
}

export function writeLines(context: Context, lines: readonly string[]): void {
  if (lines.length > 0) context.ports.stdout.write(`${lines.join("\n")}\n`);
}
