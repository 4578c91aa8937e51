import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, parseRows } from "../src/csv.js";

test("reads rows as objects", () => {
  assert.deepEqual(parse("name,price\nTea,3\nCoffee,4\n"), [
    { name: "Tea", price: "3" },
    { name: "Coffee", price: "4" },
  ]);
});

test("reads separators and line breaks in quotes", () => {
  assert.deepEqual(parseRows('"Tea, green","two\nlines"'), [["Tea, green", "two\nlines"]]);
});

test("reads another separator", () => {
  assert.deepEqual(parse("name;price\nTea;3,50", { separator: ";" }), [{ name: "Tea", price: "3,50" }]);
});

test("refuses a row that does not fit the header", () => {
  assert.throws(() => parse("name,price\nTea"), /Row 1 has 1 fields, the header has 2/);
});

test("refuses a quoted field that does not end", () => {
  assert.throws(() => parseRows('"Tea'), /does not end/);
});
