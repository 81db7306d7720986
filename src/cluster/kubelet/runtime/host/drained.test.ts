import { once } from "node:events";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { drained } from "./drained.js";

/** A pipe that somebody holds open; of what is in it, each turn of the event loop reads one part. */
class HeldPipe extends Socket {
  override bytesRead = 0;

  async readAll(parts: readonly string[]): Promise<void> {
    for (const part of parts) {
      await turn();
      if (this.destroyed) return;
      this.bytesRead += part.length;
      this.emit("data", part);
    }
  }
}

test("what is in a pipe is read before we let go of it, though all the grace passed while this process stood still", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const pipe = new HeldPipe();
  const seen: string[] = [];
  pipe.on("data", (part: string) => seen.push(part));
  const strays = vi.fn(async () => undefined);
  const ended = drained(once(pipe, "close"), [pipe], strays);
  await vi.advanceTimersByTimeAsync(50);
  expect(strays).toHaveBeenCalledOnce();
  const reading = pipe.readAll(["a", "b", "c"]);
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all([ended, reading]);
  vi.useRealTimers();
  expect(seen).toEqual(["a", "b", "c"]);
  expect(pipe.destroyed).toBe(true);
});
