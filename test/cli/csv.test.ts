import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLines } from "../../src/lib/csv.ts";
import { parseCsv } from "./parse-csv.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."=+-@,\"'\r\n\t a") }),
);

test("a parser reads any CSV text back, formulas with an apostrophe", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { minLength: 2 })),
      (rows) => {
        const read = parseCsv(csvLines(rows));
        expect(read.map((row) => row.map((cell) => cell.replace(/^'/, "")))).toEqual(
          rows.map((row) => row.map((cell) => String(cell ?? "").replace(/^'/, ""))),
        );
      },
    ),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", '=HYPERLINK("http://x","y")'])(
  "a spreadsheet takes %j for a text",
  (formula) => {
    expect(parseCsv(csvLines([["a", formula]]))).toEqual([["a", `'${formula}`]]);
  },
);

test("a number is no text, also below zero", () => {
  expect(csvLines([[-1, 0.5, null, "a"]])).toBe("-1,0.5,,a\r\n");
});
