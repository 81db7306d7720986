import { expect, test } from "vitest";
import { badInput, CliErrors } from "./errors.js";
import { allOrErrors, readEach } from "./tell-together.js";

const failsOn = (bad: readonly string[]) => (word: string) => {
  if (bad.includes(word)) throw badInput(`${word}?`);
  return word.toUpperCase();
};

test("what can be read comes in its order", async () => {
  expect(await readEach(["a", "b"], failsOn([]))).toEqual(["A", "B"]);
  expect(await allOrErrors([Promise.resolve(1), "x"])).toEqual([1, "x"]);
});

test("all that is wrong is told, each once, also of groups in groups", async () => {
  const error = await allOrErrors([
    readEach(["a", "b", "c"], failsOn(["a", "c"])),
    readEach(["c", "d"], failsOn(["c", "d"])),
  ]).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(CliErrors);
  expect(String(error)).toBe("CliErrors: a?; c?; d?");
});

test("one fault stays what it is, and a defect comes before all faults", async () => {
  await expect(readEach(["a", "b"], failsOn(["b"]))).rejects.toThrow(badInput("b?"));
  const defect = new Error("no user's fault");
  await expect(allOrErrors([readEach(["a"], failsOn(["a"])), Promise.reject(defect)])).rejects.toBe(defect);
});
