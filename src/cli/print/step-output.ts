/**
 * What steps write, made safe for a terminal: colours stay; cursor moves, titles and other controls go; of a line that
 * overwrites itself with `\r` the last state stays.
 */

/** CSI (colours are those that end in `m`), OSC and other strings, two-byte escapes, C1 controls. */
const SEQUENCES =
  /\x1b\[([0-?]*)([ -/]*)([@-~])?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?|[\x80-\x9f]/g;
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;
/** Most lines hold none of these. */
const NOT_PLAIN = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const RESET = "\x1b[0m";

/** One line without its newline -> what a terminal may show of it; without colours where they are not wanted. */
export function terminalLine(line: string, colors: "keep" | "drop"): string {
  if (!NOT_PLAIN.test(line)) return line;
  const last = lastState(line.endsWith("\r") ? line.slice(0, -1) : line);
  let colored = false;
  const clean = last.replace(SEQUENCES, (whole, parameters?: string, between?: string, final?: string) => {
    if (colors === "drop" || final !== "m" || between !== "" || !/^[\d;:]*$/.test(parameters ?? "")) return "";
    colored = true;
    return whole;
  });
  const text = clean.replace(CONTROLS, "");
  return colored ? text + RESET : text;
}

/** Text from a spec, a pod or a step where one line of it stands among others: no colours, no controls, no line ends. */
export function oneLine(text: string): string {
  return terminalLine(text.replace(/[\r\n]+/g, " "), "drop")
    .replace(/\s+/g, " ")
    .trim();
}

/** `10%\r20%\r30%` -> `30%`; a shorter text that did not erase the longer one still replaces it. */
function lastState(line: string): string {
  if (!line.includes("\r")) return line;
  const states = line.split("\r");
  for (let index = states.length - 1; index >= 0; index--) {
    const state = states[index] ?? "";
    if (state.replace(SEQUENCES, "").trim() !== "") return state;
  }
  return "";
}

/** A line longer than this is cut on the screen, never in the log. */
export const shownLineMax = 4096;
/** What goes to a file or another program is cut only where memory would give out. */
export const wholeLineMax = 16 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines of text. A line that does not end comes out at the stream's end; what is not UTF-8
 * shows as U+FFFD; of a line longer than `lineMax` characters only its first part is kept, and its newest part after a
 * `\r`, with a remark how much is not.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8");
  readonly #lineMax: number;
  /** The line that has not ended, in pieces: to join them at every chunk would take longer and longer. */
  #pieces: string[] = [];
  #length = 0;
  #dropped = 0;

  constructor(lineMax = shownLineMax) {
    this.#lineMax = lineMax;
  }

  push(chunk: Uint8Array): readonly string[] {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The line that was not ended, if any. */
  end(): readonly string[] {
    const lines = this.#take(this.#decoder.decode());
    const rest = this.#finish();
    return rest === "" ? lines : [...lines, rest];
  }

  #take(text: string): readonly string[] {
    const [first = "", ...others] = text.split("\n");
    this.#add(first);
    return others.map((next) => {
      const line = this.#finish();
      this.#add(next);
      return line;
    });
  }

  #add(text: string): void {
    if (text === "") return;
    if (this.#length >= this.#lineMax && !text.includes("\r")) {
      this.#dropped += text.length;
      return;
    }
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#lineMax) this.#cut();
  }

  #cut(): void {
    const line = this.#pieces.join("");
    const overwritten = line.lastIndexOf("\r", line.length - 2);
    const kept = (overwritten === -1 ? line : line.slice(overwritten + 1)).slice(0, this.#lineMax);
    if (overwritten !== -1) this.#dropped = 0;
    this.#dropped += line.length - (overwritten + 1) - kept.length;
    this.#pieces = [kept];
    this.#length = kept.length;
  }

  #finish(): string {
    const line = this.#pieces.join("");
    const remark = this.#dropped === 0 ? "" : `… (${this.#dropped} more characters)`;
    this.#pieces = [];
    this.#length = 0;
    this.#dropped = 0;
    return line + remark;
  }
}
