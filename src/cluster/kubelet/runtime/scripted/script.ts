/**
 * A script: what containers do, as data. Rules are tried in order, the first that matches decides; what no rule matches
 * succeeds at once and prints nothing.
 *
 * ```yaml
 * rules:
 *   - match: {template: build, attempt: 0}     # also: node, pod, container, invocation; * stands for any text
 *     exitCode: 1                              # default 0
 *     stdout: "text\n"                         # or a list of lines; stderr alike
 *     duration: 5s                             # default 0s; "never" runs until it is told to stop
 *     files: {/tmp/out.txt: "content"}         # as if the container had written them
 *     reason: OOMKilled                        # the container's reason; exit code 137 unless given
 *     message: "said at the end"               # the termination message
 *     pod: {reason: Evicted, message: "…"}     # after `duration` the pod as a whole fails
 *     start: {reason: ErrImagePull, message: "…"}  # it never starts; StartError and ContainerCannotRun end it
 *     onTerm: 143                              # exit code on SIGTERM, or "ignore"
 *     termDelay: 0s                            # how long it takes to obey
 *     readyAfter: 2s                           # when its probes begin to succeed
 * ```
 */

/** Which container a rule is about; what is left out matches all. */
export interface ScriptMatch {
  readonly template?: string;
  readonly node?: string;
  readonly pod?: string;
  readonly container?: string;
  /** Of a retried node: 0 for the first try. */
  readonly attempt?: number;
  /** How many containers matched by the same template, node and container names came before: 0 for the first. */
  readonly invocation?: number;
}

export interface ScriptedFailure {
  readonly reason: string;
  readonly message: string;
}

export interface ScriptOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined: it runs until it is told to stop. */
  readonly durationMs: number | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly message?: string;
  readonly pod?: ScriptedFailure;
  readonly start?: ScriptedFailure;
  readonly onTerm: number | "ignore";
  readonly termDelayMs: number;
  readonly readyAfterMs: number;
}

export interface ScriptRule {
  readonly match: ScriptMatch;
  readonly outcome: ScriptOutcome;
}

export interface Script {
  readonly rules: readonly ScriptRule[];
}

/** A container as rules see it. */
export interface ScriptSubject {
  readonly template: string;
  readonly node: string;
  readonly pod: string;
  readonly container: string;
  readonly attempt: number;
  readonly invocation: number;
}

export const defaultOutcome: ScriptOutcome = {
  exitCode: 0,
  stdout: "",
  stderr: "",
  durationMs: 0,
  files: {},
  onTerm: 143,
  termDelayMs: 0,
  readyAfterMs: 0,
};

export function outcomeFor(script: Script, subject: ScriptSubject): ScriptOutcome {
  return script.rules.find((rule) => matches(rule.match, subject))?.outcome ?? defaultOutcome;
}

function matches(match: ScriptMatch, subject: ScriptSubject): boolean {
  const texts = (["template", "node", "pod", "container"] as const).every((field) => {
    const pattern = match[field];
    return pattern === undefined || matchesPattern(pattern, subject[field]);
  });
  const numbers = (["attempt", "invocation"] as const).every((field) => {
    const wanted = match[field];
    return wanted === undefined || wanted === subject[field];
  });
  return texts && numbers;
}

/** `*` stands for any text. */
function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) return text.length - at >= part.length && text.endsWith(part);
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
