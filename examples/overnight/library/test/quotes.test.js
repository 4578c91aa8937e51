import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRows } from "../src/csv.js";

test("two quotes in a quoted field are one quote", () => {
  assert.deepEqual(parseRows('"12"" pizza",9'), [['12" pizza', "9"]]);
});
