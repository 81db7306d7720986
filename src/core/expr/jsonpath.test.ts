import { expect, test } from "vitest";
import { jsonPath } from "./jsonpath.js";
import { printValue } from "./values/print.js";
import { ValueFault } from "./values/value.js";

const store = JSON.stringify({
  books: [
    { title: "A", price: 5, tags: ["x"] },
    { title: "B", price: 15 },
  ],
  "odd name": { "it's": 1 },
  none: null,
});

function run(path: string, text = store): string {
  try {
    return printValue(jsonPath(text, path));
  } catch (cause) {
    if (cause instanceof ValueFault) return `! ${cause.message}`;
    throw cause;
  }
}

test.each([
  ["$.books[0].title", "A"],
  ["$['books'][1]['price']", "15"],
  ["$.books[-1].title", "B"],
  ['$["odd name"]', "map[it's:1]"],
  ["$['odd name']['it\\'s']", "1"],
  ["$.none", "<nil>"],
  ["$.books[*].title", "[A B]"],
  ["$.books.*.price", "[5 15]"],
  ["$..title", "[A B]"],
  ["$.books[0:1].title", "[A]"],
  ["$.books[0]['title','price']", "[A 5]"],
  ["$.books[?(@.price > 10)].title", "[B]"],
  ["$.books[?(@.title == 'A' && @.price < 10)].price", "[5]"],
  ["$.books[?(@.tags)].title", "[A]"],
  ["$", "map[books:[map[price:5 tags:[x] title:A] map[price:15 title:B]] none:<nil> odd name:map[it's:1]]"],
  ["$.nope", "! key: invalid token key 'nope' not found"],
  ["$.books.title", "! key: invalid token target. expected [map] got [slice]"],
  ["$.books[7]", "! index: invalid token out of range"],
  ["$[", "! invalid JSONPath selector '$[' invalid token. '[' does not match any token format"],
  ["books", "! invalid JSONPath selector 'books' unexpected token 'b' at index 0"],
] as const)("%s", (path, expected) => {
  expect(run(path)).toBe(expected);
});

test("what is no JSON is a fault", () => {
  expect(run("$.a", "nope")).toBe("! invalid data. invalid character 'o' in literal null (expecting 'u')");
});
