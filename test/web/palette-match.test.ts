import { expect, test } from "vitest";
import { matchScore, rankGroups } from "../../adapters/page/page/shell/palette/match.ts";

const found = (group: string, text: string) => ({ group, text, isFound: true });
const action = (group: string, text: string) => ({ group, text, isFound: false });

test.each([
  ["", "Board", 1],
  ["bo", "Board", 3],
  ["TASK new", "new task", 2.5],
  ["status", "set the status", 2],
  ["tat", "set the status", 1],
  ["12", "#12 Lay the points", 3],
  ["#12", "#12 Lay the points", 3],
  ["set x", "set the status", 0],
])("“%s” matches “%s” by %d", (typed, text, score) => {
  expect(matchScore(typed, text)).toBe(score);
});

test("the group with the best match comes first, and its best match leads it", () => {
  const items = [
    action("Board", "set the status"),
    action("Go to", "Sessions"),
    found("Tasks", "#7 Close the sessions"),
    found("Tasks", "#9 Reset"),
  ];
  expect(rankGroups("se", items).map(({ text }) => text)).toEqual([
    "set the status",
    "Sessions",
    "#7 Close the sessions",
    "#9 Reset",
  ]);
  expect(rankGroups("7", items).map(({ text }) => text)).toEqual(["#7 Close the sessions", "#9 Reset"]);
});

test("what the server found stays whatever its letters, what it found for an earlier text does not", () => {
  expect(rankGroups("ÉTÉ", [found("Tasks", "#3 E\u0301te\u0301")])).toHaveLength(1);
  expect(rankGroups("points", [action("Tasks", "#3 Signals")])).toEqual([]);
});
