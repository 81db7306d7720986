import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/closing-line.js";

/** Four suites; end to end runs the built program, so it builds first. */
export default defineConfig({
  test: {
    reporters: ["default", new ClosingLine()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          globalSetup: ["test/build-once.ts"],
          // Against hanging only: property tests take seconds on a busy machine.
          testTimeout: 60_000,
        },
      },
      { test: { name: "conformance", include: ["test/conformance/**/*.test.ts"], testTimeout: 120_000 } },
      {
        test: {
          name: "simulation",
          include: ["test/simulation/**/*.test.ts", "test/lifecycle/**/*.test.ts"],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/build-once.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
