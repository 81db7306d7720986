import { expect, test } from "vitest";
import { type ExprEnv, evaluate, evaluateBoolean, printValue, valueOfJson } from "../index.js";

const context = { now: Date.UTC(2024, 1, 29, 12), seed: "seed" };

const env: ExprEnv = new Map([
  ["name", "argo"],
  ["n", 5n],
  ["absent", null],
  [
    "steps",
    valueOfJson({ a: { status: "Succeeded", outputs: { result: '{"k":[1,2]}' } }, "b-c": { status: "Failed" } }),
  ],
  ["m", valueOfJson({ x: 1, y: [1, 2, 3] })],
]);

function run(source: string): string {
  const value = evaluate(source, env, context);
  return value.ok ? printValue(value.value) : `! ${value.error.message}`;
}

test.each([
  // literals
  ["1", "1"],
  ["1_000", "1000"],
  ["0xff", "255"],
  ["0b101", "5"],
  ["0o17", "15"],
  ["1.5e3", "1500"],
  [".5", "0.5"],
  ["'it''s'", "! unexpected token String(\"s\") (1:5)\n | 'it''s'\n | ....^"],
  ["'a\\nb\\u0041\\x41\\101'", "a\nbAAA"],
  ["`raw\\n`", "raw\\n"],
  ["nil", "<nil>"],
  ["[1, 'a', [true]]", "[1 a [true]]"],
  ["[1, 2,]", "[1 2]"],
  ["{'b': 1, a: 2, (name): 3,}", "map[a:2 argo:3 b:1]"],
  ["1 /* one */ + 2 // two", "3"],
  // arithmetic: Go's integers and floats
  ["5 / 2", "2.5"],
  ["6 / 2", "3"],
  ["7 % 3", "1"],
  ["-7 % 3", "-1"],
  ["2 ** 10", "1024"],
  ["2 ** 3 ** 2", "512"],
  ["-2 ** 2", "-4"],
  ["2 ^ 3", "8"],
  ["1 + 2 * 3 - 4 / 2", "5"],
  ["1.5 + 1", "2.5"],
  ["9223372036854775807 + 1", "-9223372036854775808"],
  ["'a' + 'b'", "ab"],
  ["1 / 0", "+Inf"],
  // comparison and logic
  ["1 == 1.0", "true"],
  ["'a' < 'b'", "true"],
  ["1 < 2 < 3", "true"],
  ["3 > 2 > 2", "false"],
  ["not true or true", "true"],
  ["!(1 == 2) && name == 'argo'", "true"],
  ["absent == ''", "false"],
  ["absent == nil", "true"],
  ["[1, 2] == [1.0, 2]", "true"],
  ["m == {'x': 1, 'y': [1, 2, 3]}", "true"],
  ["true or m.nope.nope", "true"],
  ["false and m.nope.nope", "false"],
  // operators on text and lists
  ["'go' in ['go', 'ts']", "true"],
  ["'x' in m", "true"],
  ["3 not in 1..2", "true"],
  ["name matches '^a.g'", "true"],
  ["name not matches 'x'", "true"],
  ["name contains 'rg'", "true"],
  ["name startsWith 'ar' and name endsWith 'go'", "true"],
  ["m.nope contains 'x'", "false"],
  ["1..4", "[1 2 3 4]"],
  ["3..1", "[]"],
  // choices
  ["n > 3 ? 'big' : 'small'", "big"],
  ["n > 9 ? 'a' : n > 4 ? 'b' : 'c'", "b"],
  ["true ?: 'x'", "true"],
  ["absent ?? 'fallback'", "fallback"],
  ["absent ?? nil ?? 1", "1"],
  ["if n > 3 { 'big' } else { 'small' }", "big"],
  ["if n > 9 { 1 } else if n > 4 { 2 } else { 3 }", "2"],
  ["let x = 2; let y = x * 3; y + 1", "7"],
  ["1; 2; 3", "3"],
  // members
  ["steps.a.status", "Succeeded"],
  ["steps['b-c'].status", "Failed"],
  ["steps.a.nope", "<nil>"],
  ["steps.nope?.status", "<nil>"],
  ["steps.nope?.a.b.c ?? 'none'", "none"],
  ["m?.['x']", "1"],
  ["m.y[0] + m.y[-1]", "4"],
  ["m.y[1:]", "[2 3]"],
  ["m.y[:2]", "[1 2]"],
  ["m.y[-2:]", "[2 3]"],
  ["m.y[5:]", "[]"],
  ["'hello'[1:3]", "el"],
  ["'héllo'[1:3]", "él"],
  ["$env.name", "argo"],
  ["$env['name']", "argo"],
  // pipes and predicates
  ["m.y | map(# * 2) | sum()", "12"],
  ["name | upper()", "ARGO"],
  ["filter(1..6, # % 2 == 0)", "[2 4 6]"],
  ["filter(1..6, {# > 4})", "[5 6]"],
  ["map([{'a': 1}, {'a': 2}], .a)", "[1 2]"],
  ["map(['x', 'y'], # + string(#index))", "[x0 y1]"],
  ["map(1..2, map(1..2, # * 10))", "[[10 20] [10 20]]"],
  ["all([2, 4], # % 2 == 0)", "true"],
  ["none([1, 3], # % 2 == 0)", "true"],
  ["any([1, 2], # == 2)", "true"],
  ["one([1, 2, 2], # == 2)", "false"],
  ["count([1, 2, 2], # == 2)", "2"],
  ["count([true, false, true])", "2"],
  ["find([1, 2, 3], # > 1)", "2"],
  ["findIndex([1, 2, 3], # > 1)", "1"],
  ["findLast([1, 2, 3], # > 1)", "3"],
  ["findLastIndex([1, 2, 3], # < 3)", "1"],
  ["find([1], # > 1)", "<nil>"],
  ["groupBy(1..4, # % 2)", "map[0:[2 4] 1:[1 3]]"],
  ["sortBy([{'n': 2}, {'n': 1}], .n)[0].n", "1"],
  ["sortBy([1, 3, 2], #, 'desc')", "[3 2 1]"],
  ["reduce(1..4, #acc + #)", "10"],
  ["reduce(1..4, #acc + #, 100)", "110"],
  ["sum([1, 2.5])", "3.5"],
  ["sum([{'n': 1}, {'n': 2}], .n)", "3"],
  // Argo's own
  ["asInt('12') / 2", "6"],
  ["asFloat('2.5') * 2", "5"],
  ["1..asInt('2')", "[1 2]"],
  ["toJson({'b': 1, 'a': ['<']})", '{"a":["\\u003c"],"b":1}'],
  ["jsonpath('{\"a\":[{\"b\":7}]}', '$.a[0].b')", "7"],
  ["sprig.upper('x')", "X"],
] as const)("%s", (source, expected) => {
  expect(run(source)).toBe(expected);
});

test.each([
  // syntax
  ["1 +", "unexpected token EOF (1:3)\n | 1 +\n | ..^"],
  ["", "unexpected token EOF (1:1)"],
  ["(1", "unexpected token EOF (1:2)\n | (1\n | .^"],
  ["1 2", 'unexpected token Number("2") (1:3)\n | 1 2\n | ..^'],
  ["a @ b", "unrecognized character: U+0040 '@' (1:3)\n | a @ b\n | ..^"],
  ["'abc", "literal not terminated (1:5)\n | 'abc\n | ....^"],
  ["1abc", 'bad number syntax: "1a" (1:2)\n | 1abc\n | .^'],
  ["# > 1", "cannot use pointer accessor outside predicate (1:1)\n | # > 1\n | ^"],
  ["map(1..2)", "expected at least 2 arguments (1:9)\n | map(1..2)\n | ........^"],
  [
    "1 ?? 2 + 3",
    "Operator (+) and coalesce expressions (??) cannot be mixed. Wrap either by parentheses. (1:8)\n | 1 ?? 2 + 3\n | .......^",
  ],
  ["map(m.y, {'i': #index})", "unexpected token Operator(\":\") (1:14)\n | map(m.y, {'i': #index})\n | .............^"],
  ["1 +\n  * 2", 'unexpected token Operator("*") (2:3)\n |   * 2\n | ..^'],
  ["'é' @", "unrecognized character: U+0040 '@' (1:5)\n | 'é' @"],
  // found before anything runs
  ["nope", "unknown name nope (1:1)\n | nope\n | ^"],
  ["nope()", "unknown name nope (1:1)\n | nope()\n | ^"],
  ["name < 1", "invalid operation: < (mismatched types string and int) (1:6)\n | name < 1\n | .....^"],
  ["name + 1", "invalid operation: + (mismatched types string and int) (1:6)\n | name + 1\n | .....^"],
  ["name and true", "invalid operation: and (mismatched types string and bool) (1:6)\n | name and true\n | .....^"],
  ["!name", "invalid operation: ! (mismatched type string) (1:1)\n | !name\n | ^"],
  ["name.x", "type string has no field x (1:6)\n | name.x\n | .....^"],
  ["nil.x", 'unexpected token Operator(".") (1:4)\n | nil.x\n | ...^'],
  ["name ? 1 : 2", "non-bool expression (type string) used as condition (1:1)\n | name ? 1 : 2\n | ^"],
  ["'x' in [1, 2]", "cannot use string as type int in array (1:5)\n | 'x' in [1, 2]\n | ....^"],
  ["len(1)", "invalid argument for len (type int) (1:1)\n | len(1)\n | ^"],
  ["upper(1)", "cannot use int as argument (type string) to call upper  (1:7)\n | upper(1)\n | ......^"],
  ["upper('a', 'b')", "too many arguments to call upper (1:1)\n | upper('a', 'b')\n | ^"],
  ["upper()", "not enough arguments to call upper (1:1)\n | upper()\n | ^"],
  ["upper(nil)", "cannot use nil as argument (type string) to call upper (1:7)\n | upper(nil)\n | ......^"],
  [
    "fromJSON(m)",
    "cannot use map[string]interface {} as argument (type string) to call fromJSON  (1:10)\n | fromJSON(m)\n | .........^",
  ],
  ["filter([1], # + 1)", "! "],
  ["map(name, #)", "builtin map takes only array (got string) (1:5)\n | map(name, #)\n | ....^"],
  ["map([1], #acc)", "unknown pointer #acc (1:10)\n | map([1], #acc)\n | .........^"],
  ["let name = 1; name", "cannot redeclare name (1:5)\n | let name = 1; name\n | ....^"],
  ["let len = 1; len", "cannot redeclare builtin len (1:5)\n | let len = 1; len\n | ....^"],
  ["name matches '['", "error parsing regexp: missing closing ]: `[` (1:6)\n | name matches '['\n | .....^"],
  // found when it runs
  ["m.nope.x", "cannot fetch x from <nil> (1:8)\n | m.nope.x\n | .......^"],
  ["m.y[3]", "index out of range: 3 (array length is 3) (1:4)\n | m.y[3]\n | ...^"],
  ["m.y['a']", "invalid operation: int(string) (1:4)\n | m.y['a']\n | ...^"],
  ["m.x < 'a'", "invalid operation: float64 < string (1:5)\n | m.x < 'a'\n | ....^"],
  ["m.x and true", "interface conversion: interface {} is float64, not bool (1:5)\n | m.x and true\n | ....^"],
  ["m.nope and true", "interface conversion: interface {} is nil, not bool (1:8)\n | m.nope and true\n | .......^"],
  ["upper(m.x)", "interface conversion: interface {} is float64, not string (1:1)\n | upper(m.x)\n | ^"],
  ["asInt('x')", "invalid operation: int(x) (1:1)\n | asInt('x')\n | ^"],
  ["asFloat('null') / 2", "invalid operation: float(null) (1:1)\n | asFloat('null') / 2\n | ^"],
  [
    "1 in fromJSON('S')",
    "invalid character 'S' looking for beginning of value (1:6)\n | 1 in fromJSON('S')\n | .....^",
  ],
  ["5 % 0", "runtime error: integer divide by zero (1:3)\n | 5 % 0\n | ..^"],
  [
    "jsonpath('{}','$[')",
    "invalid JSONPath selector '$[' invalid token. '[' does not match any token format (1:1)\n | jsonpath('{}','$[')\n | ^",
  ],
  ["sprig.upper(1)", "reflect: Call using int as type string (1:7)\n | sprig.upper(1)\n | ......^"],
  ["sprig.nope('a')", "cannot call nil (1:7)\n | sprig.nope('a')\n | ......^"],
  [
    "sprig.genPrivateKey('rsa')",
    "sprig.genPrivateKey is not available here: it makes secrets or asks the network (1:7)\n | sprig.genPrivateKey('rsa')\n | ......^",
  ],
] as const)("fault: %s", (source, expected) => {
  const result = run(source);
  if (expected === "! ") expect(result).toMatch(/^! /);
  else expect(result.replace(/^! /, "")).toBe(expected);
});

test.each([
  ["true", true],
  ["name == 'argo'", true],
  ["name", "unable to cast expression result 'argo' to bool"],
  ["n", "unable to cast expression result '%!s(int=5)' to bool"],
  ["nil", "unable to cast expression result '%!s(<nil>)' to bool"],
  ["nope", "unknown name nope (1:1)\n | nope\n | ^"],
  [
    "steps['t-2'].status == 'Failed'",
    "unable to evaluate expression 'steps['t-2'].status == 'Failed'': cannot fetch status from <nil> (1:14)\n | steps['t-2'].status == 'Failed'\n | .............^",
  ],
] as const)("as a condition: %s", (source, expected) => {
  const result = evaluateBoolean(source, env, context);
  expect(result.ok ? result.value : result.error).toBe(expected);
});

test("retries is text in a retry expression: comparing it with a number is a type error", () => {
  const result = evaluateBoolean("retries < 1", new Map([["retries", "0"]]), context);
  expect(result).toEqual({
    ok: false,
    error: "invalid operation: < (mismatched types string and int) (1:9)\n | retries < 1\n | ........^",
  });
});
