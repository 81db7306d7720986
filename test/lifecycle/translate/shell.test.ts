import { expect, test } from "vitest";
import { translateShell, UntranslatedError } from "./shell.js";

test.each<[string, object]>([
  ["true", { durationMs: 0, exitCode: 0 }],
  ["sleep 5; exit 3", { durationMs: 5000, exitCode: 3 }],
  ["exit 1; sleep 9", { durationMs: 0, exitCode: 1 }],
  ["sleep 6; echo val > /tmp/o", { durationMs: 6000, files: { "/tmp/o": "val\n" } }],
  ["sleep 5; touch /tmp/ok; sleep 300", { durationMs: 305_000, fileAtMs: { "/tmp/ok": 5000 } }],
  ['trap "" TERM; while :; do sleep 1; done', { durationMs: undefined, onTerm: "ignore" }],
  ['trap "" TERM; sleep 60 & while :; do sleep 1; done', { durationMs: undefined, onTerm: "ignore" }],
  ['trap "echo got > /tmp/o; exit 0" TERM; sleep 60 & wait', { durationMs: 60_000, onTerm: { exitCode: 0 } }],
  ["sleep 20 & echo done", { durationMs: 0, stdout: "done\n" }],
  ["(sleep 20 >/dev/null 2>&1 &) ; echo done", { durationMs: 0, stdout: "done\n" }],
  ["sleep 5; [ 1 = 1 ] || exit 3", { durationMs: 5000, exitCode: 0 }],
  ["sleep 5; [ 0 = 1 ] || exit 3", { durationMs: 5000, exitCode: 3 }],
  ["tail /dev/zero; echo rc=$?; sleep 1; exit 0", { durationMs: 1000, trouble: "memory" }],
  ["kill -9 $$", { exitCode: 137 }],
  ['printf "a\\377b\\n\\n"', { stdout: "a\ufffdb\n\n" }],
  ['head -c 3 /dev/zero | tr "\\0" x', { stdout: "xxx" }],
])("%s", (script, expected) => {
  expect(translateShell(script)).toMatchObject(expected);
});

test.each(["curl example.com", "sleep 1; for i in 1 2; do true; done"])("%s is not guessed at", (script) => {
  expect(() => translateShell(script)).toThrow(UntranslatedError);
});
