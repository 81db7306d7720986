/** Cuts a file into its YAML documents, so that a fault in one leaves the others readable. */

export interface Chunk {
  /** The document, its `---` blanked out so that columns stay true. */
  readonly text: string;
  /** Where the chunk begins in the file, in UTF-16 code units. */
  readonly offset: number;
}

const MARKER = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/** The documents of `text` that hold more than comments and directives, in order. */
export function splitDocuments(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let marked = false;
  const add = (end: number): void => {
    const body = text.slice(start, end);
    const chunk = { text: marked ? `   ${body.slice(3)}` : body, offset: start };
    if (hasContent(chunk.text)) chunks.push(chunk);
  };
  for (const match of text.matchAll(MARKER)) {
    add(match.index);
    start = match.index;
    marked = true;
  }
  add(text.length);
  return chunks;
}

const FIRST_CONTENT = /^[ \t]*([^ \t\r\n#])/m;

function hasContent(text: string): boolean {
  const first = FIRST_CONTENT.exec(text);
  // A `%YAML` line stands before the marker of the document that it speaks of; Go's reader drops it too.
  return first !== null && (first[1] !== "%" || /^[ \t]*[^ \t\r\n#%]/m.test(text));
}
