import { expect, test } from "vitest";
import { cleanupFailedText, readCleanupFailed } from "./failed-try.js";

const at = 1_767_225_600_000;

test.each([
  [403, 'pods "a" is forbidden: quota; try 1: later; next in 3 s'],
  [undefined, "socket hang up"],
  [409, ""],
])("what is told of a failed try (%s) is read again", (code, message) => {
  const text = cleanupFailedText({ podName: "wf-a", podUid: "u", tries: 5, code, message, nextTryInMs: 11_400 });
  expect(readCleanupFailed(text, at)).toEqual({ podUid: "u", code, message, nextTryAt: at + 12_000 });
});

test("another text tells nothing of it", () => {
  expect(readCleanupFailed("Back-off pulling image", at)).toBeUndefined();
});
