import { expect, test } from "vitest";
import { editDistance, nearestName } from "./suggest.js";

test.each<[string, string, number]>([
  ["templats", "templates", 1],
  ["tmeplates", "templates", 1],
  ["", "abc", 3],
  ["kitten", "sitting", 3],
  ["same", "same", 0],
])("%s to %s is %d", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test.each<[string, readonly string[], string | undefined]>([
  ["templats", ["template", "templates", "volumes"], "template"],
  ["imagePullpolicy", ["image", "imagePullPolicy"], "imagePullPolicy"],
  ["comand", ["command", "args"], "command"],
  ["arg", ["args", "env"], "args"],
  ["zzz", ["args", "env"], undefined],
  ["x".repeat(5000), ["args"], undefined],
])("near %s", (name, candidates, expected) => {
  expect(nearestName(name, candidates)).toBe(expected);
});
