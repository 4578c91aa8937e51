import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../src/csv.js";

test("reads a file that Excel has saved: a byte order mark, lines that end with CR LF", () => {
  assert.deepEqual(parse("\uFEFFname,price\r\nTea,3\r\n"), [{ name: "Tea", price: "3" }]);
});

test("keeps the line breaks in quotes as they are", () => {
  assert.deepEqual(parse('note\r\n"two\r\nlines"\r\n'), [{ note: "two\r\nlines" }]);
});
