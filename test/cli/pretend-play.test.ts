import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actsFor, editFile, readPlay } from "../../src/cli/running/pretend-play.ts";
import { freshFolder } from "../support/project.ts";

test("a play has acts for a task before and after its question is answered, and none for another task", () => {
  const file = join(freshFolder(), "play.json");
  const done = { call: "done", with: { summary: "It is written." } };
  const sessions = [
    { task: "Tea", acts: [] },
    { task: "Tea", answered: true, acts: [done] },
  ];
  writeFileSync(file, JSON.stringify(sessions));
  const play = readPlay(file);
  expect(actsFor(play, "Tea", false)).toEqual([]);
  expect(actsFor(play, "Tea", true)).toEqual([done]);
  expect(actsFor(play, "Coffee", false)).toBeUndefined();
});

test("an edit replaces text that is in the file once, and refuses any other", () => {
  const file = join(freshFolder(), "tea.txt");
  writeFileSync(file, "tea, tea, coffee");
  editFile({ edit: file, old: "coffee", new: "$&" });
  expect(readFileSync(file, "utf8")).toBe("tea, tea, $&");
  expect(() => editFile({ edit: file, old: "tea", new: "milk" })).toThrow(/2 times/);
  expect(() => editFile({ edit: file, old: "water", new: "milk" })).toThrow(/0 times/);
});
