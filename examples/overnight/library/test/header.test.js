import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../src/csv.js";

test("two columns with one name lose no price in silence", () => {
  let values;
  try {
    values = parse("name,price,price\nTea,3,4").flatMap(Object.values);
  } catch {
    return; // It may refuse such a file, too.
  }
  assert.deepEqual(values, ["Tea", "3", "4"]);
});
