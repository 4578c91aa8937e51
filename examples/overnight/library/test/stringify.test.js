import assert from "node:assert/strict";
import { test } from "node:test";
import * as csv from "../src/csv.js";

test("writes a header and rows", () => {
  assert.equal(csv.stringify([{ name: "Tea", price: "3" }]), "name,price\nTea,3\n");
});

test("parse reads back what stringify writes", () => {
  const rows = [
    { name: "Tea, green", note: "two\nlines" },
    { name: '12" pizza', note: "" },
  ];
  assert.deepEqual(csv.parse(csv.stringify(rows)), rows);
});
