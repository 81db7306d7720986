/** The live tree at the bottom of the screen, logs scrolling above it; at most ten drawings a second. */

import type { Clock, Timer } from "../../kube/clock.js";
import type { Output } from "../ports.js";
import { displayWidth } from "../print/width.js";

const FRAME_MS = 100;
/** Lines kept between two drawings; a step that writes faster than this is skipped on the screen, not in the log. */
const LINES_MAX = 400;

export interface ScreenPorts {
  /** The steps' lines go here. */
  readonly stdout: Output;
  /** The tree goes here. */
  readonly stderr: Output;
  readonly clock: Clock;
}

/** Both streams are terminals, and the same one. */
export class Screen {
  readonly #ports: ScreenPorts;
  /** Draws the tree for the screen's size now. */
  readonly #frame: () => readonly string[];
  readonly #skipped: (count: number) => string;
  #drawn: readonly string[] = [];
  #lines: string[] = [];
  #skippedLines = 0;
  #timer: Timer | undefined;
  #lastDrawing = Number.NEGATIVE_INFINITY;
  #busy = false;
  #dirty = false;
  #closed = false;
  readonly #stopResize: () => void;

  constructor(ports: ScreenPorts, frame: () => readonly string[], skipped: (count: number) => string) {
    this.#ports = ports;
    this.#frame = frame;
    this.#skipped = skipped;
    this.#stopResize = ports.stderr.onResize(() => this.refresh());
  }

  /** A line to scroll above the tree; it must hold nothing that moves the cursor. */
  line(text: string): void {
    if (this.#lines.length >= LINES_MAX) {
      this.#lines.shift();
      this.#skippedLines += 1;
    }
    this.#lines.push(text);
    this.refresh();
  }

  /** Something changed: draw soon. */
  refresh(): void {
    this.#dirty = true;
    if (this.#timer !== undefined || this.#busy || this.#closed) return;
    const wait = Math.max(0, this.#lastDrawing + FRAME_MS - this.#ports.clock.monotonic());
    this.#timer = this.#ports.clock.after(wait, () => {
      this.#timer = undefined;
      void this.#draw();
    });
  }

  async #draw(): Promise<void> {
    this.#busy = true;
    this.#dirty = false;
    this.#lastDrawing = this.#ports.clock.monotonic();
    this.#paint(this.#frame());
    await Promise.all([this.#ports.stdout.drained(), this.#ports.stderr.drained()]);
    this.#busy = false;
    if (this.#dirty) this.refresh();
  }

  #paint(frame: readonly string[]): void {
    const { stdout, stderr } = this.#ports;
    stderr.write(this.#erase());
    if (this.#skippedLines > 0) stdout.write(`${this.#skipped(this.#skippedLines)}\n`);
    if (this.#lines.length > 0) stdout.write(`${this.#lines.join("\n")}\n`);
    this.#skippedLines = 0;
    this.#lines = [];
    if (frame.length > 0) stderr.write(`${frame.join("\n")}\n`);
    this.#drawn = frame;
  }

  /** Up to the tree's first line and clear from there; counts the rows that a narrower screen wrapped it to. */
  #erase(): string {
    const columns = this.#ports.stderr.columns ?? 80;
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
    return rows === 0 ? "" : `\x1b[${rows}A\r\x1b[J`;
  }

  /** The last drawing stays; with `without the tree` nothing but the lines does. Nothing is written afterwards. */
  close(how: "keep the tree" | "without the tree"): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#stopResize();
    this.#paint(how === "keep the tree" ? this.#frame() : []);
  }
}
