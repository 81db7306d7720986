/** Who can reach nobody and be reached by nobody: nothing that is said by them or to them arrives until it is over. */

export class Partitions {
  readonly #untilOver = new Map<string, Set<() => void>>();

  begin(roles: readonly string[]): void {
    for (const role of roles) if (!this.isCutOff(role)) this.#untilOver.set(role, new Set());
  }

  end(roles: readonly string[]): void {
    for (const role of roles) {
      const waiting = this.#untilOver.get(role) ?? [];
      this.#untilOver.delete(role);
      for (const call of waiting) call();
    }
  }

  isCutOff(role: string): boolean {
    return this.#untilOver.size > 0 && this.#untilOver.has(role);
  }

  /** Calls it when the role can be reached again. */
  onEnd(role: string, call: () => void): void {
    this.#untilOver.get(role)?.add(call);
  }
}
