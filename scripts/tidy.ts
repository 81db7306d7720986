/**
 * The ratchet: sizes of files and functions, and words that the core must not say. Exceptions stand in
 * scripts/tidy-exceptions.json with a reason each, and may only become fewer.
 */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

const limits = { fileLines: 500, functionLines: 70, complexity: 10, parameters: 4 } as const;

type Measure = keyof typeof limits;

interface Breach {
  readonly where: string;
  readonly measure: Measure | "banned";
  readonly value: number;
  readonly detail: string;
}

interface Exception {
  readonly where: string;
  readonly measure: Breach["measure"];
  readonly value: number;
  readonly reason: string;
}

/** What would make the core depend on the machine, the moment or chance. */
const bannedInCore: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /\bDate\.now\b|\bnew Date\(\)/, why: "the clock is an argument" },
  { pattern: /\bMath\.random\b|\bcrypto\b\./, why: "chance is an argument" },
  { pattern: /\bprocess\./, why: "the environment is an argument" },
  { pattern: /\bconsole\./, why: "the core does not print" },
  { pattern: /\bDate\.parse\b/, why: "a time without a zone would be read in the machine's" },
  { pattern: /\blocaleCompare\b|\bIntl\.|\btoLocale/, why: "locale is an input" },
  { pattern: /\basync\b|\bawait\b|\bPromise\b/, why: "the core is synchronous" },
];

/** Below the composition roots nothing reads the environment, the clock or chance. */
const bannedBelowApp: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /\bprocess\.(env|argv|cwd)\b/, why: "only src/app reads argv and the environment" },
  { pattern: /\bDate\.now\b|\bnew Date\(\)/, why: "time comes through the Clock port" },
  { pattern: /\bMath\.random\b|\brandomUUID\b/, why: "chance comes through the Chance port" },
];

function sourceFiles(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    .sort();
}

function measure(file: string): Breach[] {
  const text = readFileSync(root + file, "utf8");
  const lines = text.split("\n").length - 1;
  const breaches: Breach[] = [];
  if (lines > limits.fileLines) breaches.push({ where: file, measure: "fileLines", value: lines, detail: "" });
  if (!file.endsWith(".test.ts")) breaches.push(...banned(file, text), ...functionBreaches(file, text));
  return breaches;
}

function banned(file: string, text: string): Breach[] {
  const code = withoutComments(text);
  return bansFor(file)
    .filter((rule) => rule.pattern.test(code))
    .map((rule) => ({ where: file, measure: "banned" as const, value: 1, detail: `${rule.pattern}: ${rule.why}` }));
}

function bansFor(file: string): typeof bannedInCore {
  if (file.startsWith("src/core/")) return bannedInCore;
  return file.startsWith("src/") && !file.startsWith("src/app/") ? bannedBelowApp : [];
}

/** Comments and strings may name what code may not use. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/[^\n]*/g, "$1")
    .replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""');
}

function functionBreaches(file: string, text: string): Breach[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const breaches: Breach[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && node.body !== undefined) breaches.push(...measureFunction(file, source, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return breaches;
}

type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration;

function isFunction(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)
  );
}

function measureFunction(file: string, source: ts.SourceFile, node: FunctionNode): Breach[] {
  const line = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const values: Readonly<Record<Exclude<Measure, "fileLines">, number>> = {
    functionLines: line(node.end) - line(node.getStart(source)) + 1,
    complexity: complexityOf(node),
    // A constructor's parameters are mostly its fields: those are counted as fields are, not as arguments.
    parameters: ts.isConstructorDeclaration(node) ? 0 : node.parameters.length,
  };
  const where = `${file}#${nameOf(node, line(node.getStart(source)) + 1)}`;
  return (Object.keys(values) as (keyof typeof values)[])
    .filter((key) => values[key] > limits[key])
    .map((key) => ({ where, measure: key, value: values[key], detail: "" }));
}

function nameOf(node: FunctionNode, line: number): string {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (node.name !== undefined) return node.name.getText();
  const parent = node.parent;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return `line ${line}`;
}

/** Cyclomatic: one path, plus one for each place where it forks; inner functions count for themselves. */
function complexityOf(node: FunctionNode): number {
  let complexity = 1;
  const visit = (child: ts.Node): void => {
    if (isFunction(child)) return;
    if (forks(child)) complexity++;
    ts.forEachChild(child, visit);
  };
  if (node.body !== undefined) ts.forEachChild(node.body, visit);
  return complexity;
}

const forkingKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
]);

const forkingOperators: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
]);

function forks(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) ? forkingOperators.has(node.operatorToken.kind) : forkingKinds.has(node.kind);
}

function main(): void {
  const exceptions = JSON.parse(readFileSync(`${root}scripts/tidy-exceptions.json`, "utf8")) as readonly Exception[];
  const breaches = [
    ...sourceFiles("src"),
    ...sourceFiles("test"),
    ...sourceFiles("scripts"),
    ...sourceFiles("bench"),
  ].flatMap(measure);
  const excused = (breach: Breach): boolean =>
    exceptions.some(
      (exception) =>
        exception.where === breach.where && exception.measure === breach.measure && breach.value <= exception.value,
    );
  const faults = breaches.filter((breach) => !excused(breach));
  const stale = exceptions.filter(
    (exception) =>
      !breaches.some(
        (breach) =>
          breach.where === exception.where && breach.measure === exception.measure && breach.value === exception.value,
      ),
  );
  for (const breach of faults) {
    const limit = breach.measure === "banned" ? "" : ` (limit ${limits[breach.measure]})`;
    console.error(`${breach.where}  ${breach.measure} ${breach.value}${limit} ${breach.detail}`);
  }
  for (const exception of stale) {
    console.error(
      `scripts/tidy-exceptions.json: ${exception.where} ${exception.measure} ${exception.value} is no longer true: lower it or take it out`,
    );
  }
  console.log(`tidy: ${faults.length + stale.length} faults, ${exceptions.length} exceptions`);
  if (faults.length + stale.length > 0) process.exitCode = 1;
}

main();
