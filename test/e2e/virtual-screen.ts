/** What a person sees of the bytes that a program writes to a terminal, and how often it was drawn anew. */

const ESCAPE = "\x1b";
const TOKENS = /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[^[]?|[\r\n]|[^\x1b\r\n]+/gu;

/** One drawing of the live tree, as it stood before the next one wiped it out. */
export interface Frame {
  readonly lines: readonly string[];
}

/** Knows what the program may use: colours, up, clear below, return, newline. Everything else is an error. */
export class VirtualScreen {
  private lines: string[] = [""];
  private row = 0;
  private column = 0;
  private readonly columns: number;
  private readonly rows: number;
  private rest = "";
  /** Rows that go on in the next one, because the line was too long. */
  private readonly wrapped = new Set<number>();
  /** The live trees that were drawn over, oldest first. */
  readonly frames: Frame[] = [];

  constructor({ columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    const whole = this.rest + text;
    const cut = this.unfinished(whole);
    this.rest = whole.slice(cut);
    for (const [token, parameters = "", final = ""] of whole.slice(0, cut).matchAll(TOKENS)) {
      if (final !== "") this.control(parameters, final);
      else if (token === "\r") this.column = 0;
      else if (token === "\n") this.down();
      else if (token.startsWith(ESCAPE)) throw new Error(`escape sequence ${JSON.stringify(token)}`);
      else for (const character of token) this.put(character);
    }
  }

  /** Lines without trailing spaces, those scrolled away included; a line that took several rows is one again. */
  get text(): string {
    const text = this.lines.map((line, row) => (this.wrapped.has(row) ? line : `${line.trimEnd()}\n`)).join("");
    return text.trimEnd();
  }

  private control(parameters: string, final: string): void {
    if (final === "m") return;
    if (final === "A") {
      const count = Number(parameters || "1");
      this.frames.push({ lines: this.lines.slice(this.row - count, this.row).map((line) => line.trimEnd()) });
      this.row = Math.max(this.top, this.row - count);
    } else if (final === "J" && parameters === "") {
      this.lines = [...this.lines.slice(0, this.row), (this.lines[this.row] ?? "").slice(0, this.column)];
      for (const row of this.wrapped) if (row >= this.row) this.wrapped.delete(row);
    } else throw new Error(`control sequence ${JSON.stringify(parameters + final)}`);
  }

  /** First row of the terminal's window. */
  private get top(): number {
    return Math.max(0, this.lines.length - this.rows);
  }

  private down(): void {
    this.row += 1;
    if (this.row === this.lines.length) this.lines.push("");
  }

  private put(character: string): void {
    if (/\p{Cc}/u.test(character)) throw new Error(`control character ${JSON.stringify(character)}`);
    if (this.column === this.columns) {
      this.wrapped.add(this.row);
      this.down();
      this.column = 0;
    }
    const line = (this.lines[this.row] ?? "").padEnd(this.column);
    const characters = [...line];
    characters[this.column] = character;
    this.lines[this.row] = characters.join("");
    this.column += 1;
  }

  /** Where an escape sequence begins that has not ended yet. */
  private unfinished(text: string): number {
    const at = text.lastIndexOf(ESCAPE);
    if (at === -1) return text.length;
    return /^\x1b\[[0-?]*[ -/]*[@-~]/.test(text.slice(at)) ? text.length : at;
  }
}
