import { expect, test } from "vitest";
import { evaluateWhen } from "../index.js";

test.each([
  ["", true],
  ["true", true],
  ["false", false],
  ["foo == foo", true],
  ["foo == bar", false],
  ["heads == 'heads'", true],
  ["'it is' != \"it was\"", true],
  ["[it is] == 'it is'", true],
  ["1 == 1.0", true],
  ["1 == '1'", false],
  ["0x1f == 31", true],
  ["12 <= 2", false],
  ["2 < 10", true],
  ["'2' < '10'", false],
  ["5 != 5 && true", false],
  ["(1 < 2) || bar", true],
  ["1 + 2 * 3 == 7", true],
  ["10 - 3 - 2 == 5", true],
  ["2 ** 3 == 8", true],
  ["1 / 0 >= 2 / 0", true],
  ["7 % 4 == 3", true],
  ["(6 & 3) == 2", true],
  ["(1 << 3) == 8", true],
  ["-1 < 0", true],
  ["!(alpha == beta)", true],
  ["a + b == ab", true],
  ["x in (x, y)", true],
  ["1 IN (1, 2)", true],
  ['"no" in (alpha, yes)', false],
  ["abc =~ '^a.c$'", true],
  ["abc !~ '^a.c$'", false],
  ["tails =~ hea", false],
  ['"A-b_C" =~ "^[a-h]"', false],
  ["true ? true : false", true],
  ["false ? true : false", false],
  ["'2024-01-02' > '2024-01-01'", true],
  ["'2024-01-02T00:00:00Z' == '2024-01-02'", true],
  ["a\\-b == 'a-b'", true],
  ["(\nheads == heads &&\n  tails == tails\n) || (a == b)", true],
  // what follows a complete expression is ignored
  ["(true) false", true],
] as const)("%j is %s", (when, expected) => {
  expect(evaluateWhen(when)).toEqual({ ok: true, value: expected });
});

test.each([
  ["a b", "Invalid 'when' expression 'a b': Cannot transition token types from VARIABLE [a] to VARIABLE [b]"],
  [" == x", "Invalid 'when' expression ' == x': Cannot transition token types from UNKNOWN [<nil>] to COMPARATOR [==]"],
  [
    "3abc == 1",
    "Invalid 'when' expression '3abc == 1': Cannot transition token types from NUMERIC [3] to VARIABLE [abc]",
  ],
  ["(a", "Invalid 'when' expression '(a': Unbalanced parenthesis"],
  ["a ==", "Invalid 'when' expression 'a ==': Unexpected end of expression"],
  ["  ", "Invalid 'when' expression '  ': Unexpected end of expression"],
  ['"a"b" == alpha', "Invalid 'when' expression '\"a\"b\" == alpha': Unclosed string literal"],
  ["[a == b", "Invalid 'when' expression '[a == b': Unclosed parameter bracket"],
  ["1.2.3 == 1", "Invalid 'when' expression '1.2.3 == 1': Unable to parse numeric value '1.2.3' to float64\n"],
  ["a. == b", "Invalid 'when' expression 'a. == b': Hanging accessor on token 'a.'"],
  ["f(x)", "Invalid 'when' expression 'f(x)': Undefined function f"],
  [
    '{"k":"v","n":1} != yes',
    'Invalid \'when\' expression \'{"k":"v","n":1} != yes\': Invalid token: \'{\' (hint: try wrapping the affected expression in quotes ("))',
  ],
  [
    "a == -b && !!c",
    "Invalid 'when' expression 'a == -b && !!c': Invalid token: '!!' (hint: try wrapping the affected expression in quotes (\"))",
  ],
  ["a =~ '('", "Invalid 'when' expression 'a =~ '('': error parsing regexp: missing closing ): `(`"],
  ["a =~ [(]", "Failed to parse 'when' expression 'a =~ [(]': error parsing regexp: missing closing ): `(`"],
  ["!foo", "Failed to parse 'when' expression '!foo': Cannot transition token types from PREFIX [!] to STRING [foo]"],
  [
    'pre-["x y","z"] == 1',
    "Failed to evaluate 'when' expresion 'pre-[\"x y\",\"z\"] == 1': Value 'pre' cannot be used with the modifier '-', it is not a number",
  ],
  ["foo.bar == 1", "Failed to evaluate 'when' expresion 'foo.bar == 1': No parameter 'foo' found."],
  [
    "a < 1",
    "Failed to evaluate 'when' expresion 'a < 1': Value 'a' cannot be used with the comparator '<', it is not a number",
  ],
  [
    "a && true",
    "Failed to evaluate 'when' expresion 'a && true': Value 'a' cannot be used with the logical operator '&&', it is not a bool",
  ],
  [
    "1 =~ 'a'",
    "Failed to evaluate 'when' expresion '1 =~ 'a'': Value '1' cannot be used with the comparator '=~', it is not a number",
  ],
  [
    "x in (x)",
    "Failed to evaluate 'when' expresion 'x in (x)': Value 'x' cannot be used with the comparator 'in', it is not a number",
  ],
  [
    "1 ? 2 : 3",
    "Failed to evaluate 'when' expresion '1 ? 2 : 3': Value '1' cannot be used with the ternary operator '?', it is not a bool",
  ],
  ["X:Y != yes", "Expected boolean evaluation for 'X:Y != yes'. Got X"],
  ["foo", "Expected boolean evaluation for 'foo'. Got foo"],
  ["1 + 1", "Expected boolean evaluation for '1 + 1'. Got 2"],
  ["()", "Expected boolean evaluation for '()'. Got <nil>"],
  ["(a, 2)", "Expected boolean evaluation for '(a, 2)'. Got [a 2]"],
] as const)("%j is an error", (when, expected) => {
  expect(evaluateWhen(when)).toEqual({ ok: false, error: expected });
});

test("brackets without end are refused, not followed until the stack is used up", () => {
  const deep = `${"(".repeat(5000)}true${")".repeat(5000)}`;
  const result = evaluateWhen(deep);
  expect(result.ok).toBe(false);
  expect(result.ok ? "" : result.error).toContain("more than 500 brackets inside one another");
});
