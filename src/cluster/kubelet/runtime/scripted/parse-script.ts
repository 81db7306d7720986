/** From a script file's value to a {@link Script}, with all that is wrong with it. */

import { isJsonObject } from "../../../../core/std/json.js";
import type { Problem } from "../../../../core/std/problem.js";
import { err, ok, type Result } from "../../../../core/std/result.js";
import {
  defaultOutcome,
  type Script,
  type ScriptedFailure,
  type ScriptMatch,
  type ScriptOutcome,
  type ScriptRule,
} from "./script.js";

/** `value`: the file as YAML or JSON gives it. All problems at once. */
export function parseScript(value: unknown): Result<Script, readonly Problem[]> {
  const reader = new Reader();
  const top = reader.object(value, "", ["rules"]);
  const rules = reader.list(top["rules"], "rules").map((rule, index) => parseRule(reader, rule, `rules[${index}]`));
  return reader.problems.length === 0 ? ok({ rules }) : err(reader.problems);
}

/** One outcome alone, in the form of a rule without `match`; null is the default. */
export function parseOutcome(value: unknown): Result<ScriptOutcome, readonly Problem[]> {
  const reader = new Reader();
  const outcome = readOutcome(reader, reader.object(value ?? {}, "", OUTCOME_FIELDS), "");
  return reader.problems.length === 0 ? ok(outcome) : err(reader.problems);
}

const OUTCOME_FIELDS = [
  "exitCode",
  "stdout",
  "stderr",
  "duration",
  "files",
  "reason",
  "message",
  "pod",
  "start",
  "onTerm",
  "termDelay",
  "readyAfter",
] as const;

function parseRule(reader: Reader, value: unknown, path: string): ScriptRule {
  const rule = reader.object(value, path, ["match", ...OUTCOME_FIELDS]);
  return { match: parseMatch(reader, rule["match"], `${path}.match`), outcome: readOutcome(reader, rule, path) };
}

function parseMatch(reader: Reader, value: unknown, path: string): ScriptMatch {
  if (value === undefined) return {};
  const texts = ["template", "node", "pod", "container"] as const;
  const numbers = ["attempt", "invocation"] as const;
  const match = reader.object(value, path, [...texts, ...numbers]);
  const found: { -readonly [Key in keyof ScriptMatch]: ScriptMatch[Key] } = {};
  for (const field of texts) {
    const text = reader.optionalText(match[field], `${path}.${field}`);
    if (text !== undefined) found[field] = text;
  }
  for (const field of numbers) {
    const number = reader.optionalNumber(match[field], `${path}.${field}`);
    if (number !== undefined) found[field] = number;
  }
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

/** `path` of the rule; empty for an outcome alone. */
function readOutcome(reader: Reader, rule: Fields, path: string): ScriptOutcome {
  const at = (field: string): string => (path === "" ? field : `${path}.${field}`);
  const reason = reader.optionalText(rule["reason"], at("reason"));
  const message = reader.optionalText(rule["message"], at("message"));
  const pod = parseFailure(reader, rule["pod"], at("pod"));
  const start = parseFailure(reader, rule["start"], at("start"));
  const exitCode = reader.optionalNumber(rule["exitCode"], at("exitCode"));
  return {
    exitCode: exitCode ?? (reason === "OOMKilled" ? 137 : 0),
    stdout: reader.output(rule["stdout"], at("stdout")),
    stderr: reader.output(rule["stderr"], at("stderr")),
    durationMs: rule["duration"] === "never" ? undefined : reader.duration(rule["duration"], at("duration")),
    files: parseFiles(reader, rule["files"], at("files")),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(pod === undefined ? {} : { pod }),
    ...(start === undefined ? {} : { start }),
    onTerm:
      rule["onTerm"] === "ignore"
        ? "ignore"
        : (reader.optionalNumber(rule["onTerm"], at("onTerm")) ?? defaultOutcome.onTerm),
    termDelayMs: reader.duration(rule["termDelay"], at("termDelay")),
    readyAfterMs: reader.duration(rule["readyAfter"], at("readyAfter")),
  };
}

function parseFailure(reader: Reader, value: unknown, path: string): ScriptedFailure | undefined {
  if (value === undefined) return undefined;
  const failure = reader.object(value, path, ["reason", "message"]);
  return {
    reason: reader.optionalText(failure["reason"], `${path}.reason`) ?? "Error",
    message: reader.optionalText(failure["message"], `${path}.message`) ?? "",
  };
}

function parseFiles(reader: Reader, value: unknown, path: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const files: Record<string, string> = {};
  for (const [name, content] of Object.entries(reader.object(value, path, undefined))) {
    if (!name.startsWith("/")) reader.fault(`${path}.${name}`, "a file's path begins with /");
    files[name] = reader.optionalText(content, `${path}.${name}`) ?? "";
  }
  return files;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

class Reader {
  readonly problems: Problem[] = [];

  fault(path: string, message: string, code: Problem["code"] = "bad-value"): void {
    this.problems.push({ code, severity: "error", path, message });
  }

  /** `fields` left out: any names. */
  object(value: unknown, path: string, fields: readonly string[] | undefined): Fields {
    if (!isJsonObject(value)) {
      this.fault(path, "must be a map", "wrong-type");
      return {};
    }
    for (const name of Object.keys(value)) {
      if (fields !== undefined && !fields.includes(name)) {
        this.problems.push({
          code: "unknown-field",
          severity: "error",
          path: path === "" ? name : `${path}.${name}`,
          message: "no such field",
          hint: `known are ${fields.join(", ")}`,
        });
      }
    }
    return value;
  }

  list(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (value !== undefined) this.fault(path, "must be a list", "wrong-type");
    return [];
  }

  optionalText(value: unknown, path: string): string | undefined {
    if (value === undefined || typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    this.fault(path, "must be text", "wrong-type");
    return undefined;
  }

  optionalNumber(value: unknown, path: string): number | undefined {
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
    this.fault(path, "must be a whole number, 0 or more", "wrong-type");
    return undefined;
  }

  /** Text as it is, or lines that each get a newline. */
  output(value: unknown, path: string): string {
    if (!Array.isArray(value)) return this.optionalText(value, path) ?? "";
    return value.map((line, index) => `${this.optionalText(line, `${path}[${index}]`) ?? ""}\n`).join("");
  }

  /** Milliseconds: "1m30s", "250ms", or a number of seconds. */
  duration(value: unknown, path: string): number {
    if (value === undefined) return 0;
    if (typeof value === "number" && value >= 0) return value * 1000;
    const text = typeof value === "string" ? value : "";
    if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
      this.fault(path, 'must be a duration like "250ms", "5s", "1m30s"');
      return 0;
    }
    const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
    return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
  }
}
