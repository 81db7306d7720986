import { expect, test } from "vitest";
import { fakePorts } from "./fakes/ports.js";
import { reportError, tellerOf } from "./report-error.js";

function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code, syscall: "open", ...(path && { path }) });
}

test.each([
  ["EROFS", "/home/me/runs", "error: /home/me/runs: the file system is read-only\n  TIPHYS_HOME=DIR puts"],
  ["EACCES", "/home/me/runs", "error: /home/me/runs: permission denied\n  TIPHYS_HOME=DIR puts"],
  ["ENOSPC", undefined, "error: no space is left on the disk\n  make room; TIPHYS_HOME=DIR puts"],
  ["ECONNRESET", undefined, "error: ECONNRESET: as the system says it\n"],
] as const)("what the system refuses is no defect, and has a way out: %s", (code, path, text) => {
  const ports = fakePorts({ cwd: "/work" });
  expect(reportError(systemError(code, path), tellerOf(ports, []))).toBe(4);
  expect(ports.stderr.text).toContain(text);
  expect(ports.stderr.text).not.toMatch(/defect|internal/);
});
