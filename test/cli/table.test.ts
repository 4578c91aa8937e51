import { expect, test } from "vitest";
import { tableLines } from "../../src/lib/terminal/output.ts";

test("table columns are as wide as their content is on a terminal", () => {
  const rows = [
    [1, "日本語", null],
    [10, "an agent\nand its second line", "x"],
  ];
  expect(tableLines(["id", "what", "who"], rows)).toEqual([
    "id  what                 who  ",
    "1   日本語                    ",
    "10  an agent             x    ",
    "    and its second line       ",
  ]);
});

test("a hundred thousand rows are a table, too", () => {
  const rows = Array.from({ length: 100_000 }, (_, nth) => [nth, `Learning ${nth}`]);
  const lines = tableLines(["id", "text"], rows);
  expect(lines).toHaveLength(100_001);
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([23]));
});
