/** How far a pull has come, from the lines that the program prints when it has no terminal. */

/** How much of a layer's way each word stands for; unpacking takes the last third. */
const STAGES: Readonly<Record<string, number>> = {
  "Pulling fs layer": 0,
  Waiting: 0,
  Downloading: 0,
  "Verifying Checksum": 0.6,
  "Download complete": 0.7,
  Extracting: 0.7,
  "Pull complete": 1,
  "Already exists": 1,
};

export class PullProgress {
  /** Docker's layers, each with how far it is (0 to 1). */
  readonly #layers = new Map<string, number>();
  /** Layers that podman said it copies; it does not say how far. */
  readonly #blobs = new Set<string>();

  /** True when `text` changed. */
  add(line: string): boolean {
    const before = this.text;
    const layer = /^([0-9a-f]{12}): (.*)$/.exec(line);
    if (layer !== null) this.#note(layer[1] ?? "", layer[2] ?? "");
    const blob = /^Copying blob (?:sha256:)?([0-9a-f]{12,})/.exec(line);
    if (blob !== null) this.#blobs.add((blob[1] ?? "").slice(0, 12));
    return this.text !== before;
  }

  /** `pulling`, `pulling 43 %`, `pulling 3 layers`. */
  get text(): string {
    if (this.#layers.size > 0) {
      const done = [...this.#layers.values()].reduce((sum, one) => sum + one, 0);
      return `pulling ${Math.floor((100 * done) / this.#layers.size)} %`;
    }
    const layers = this.#blobs.size;
    return layers === 0 ? "pulling" : `pulling ${layers} ${layers === 1 ? "layer" : "layers"}`;
  }

  #note(layer: string, words: string): void {
    const stage = Object.keys(STAGES).find((one) => words.startsWith(one));
    if (stage === undefined) return;
    this.#layers.set(layer, Math.max(this.#layers.get(layer) ?? 0, STAGES[stage] ?? 0));
  }
}
