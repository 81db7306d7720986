import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/closing-line.js";

/**
 * Four suites, one after the other: people's journeys are not run beside what takes the whole machine. The program is
 * built first, for those who run it.
 */
export default defineConfig({
  test: {
    reporters: ["default", new ClosingLine()],
    // Left to itself vitest keeps a core free: of two, that is half of the machine.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          // Many small files that share nothing: a process for each would take as long as all their tests.
          isolate: false,
          // Some wait for a clock or a program most of the time.
          maxWorkers: availableParallelism() + 1,
          globalSetup: ["test/build-once.ts"],
          setupFiles: ["test/property-seed.ts", "test/own-temp.ts"],
          // Against hanging only: property tests take seconds on a busy machine.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "simulation",
          include: ["test/simulation/**/*.test.ts", "test/lifecycle/**/*.test.ts"],
          testTimeout: 900_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "test/podman/**/*.test.ts"],
          globalSetup: ["test/build-once.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
