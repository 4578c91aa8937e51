import { describe, expect, test } from "vitest";
import { findReferredTask, mapReferences } from "../../../src/projections/board/reference.ts";
import { given } from "./given.ts";
import { created } from "./history.ts";

/** The task that a text of task 1, "Export", means among those with these titles, which are tasks 2, 3, … */
async function meantBy(text: string, ...titles: readonly string[]): Promise<number | undefined> {
  const tasks = titles.map((title, index) => created(index + 2, { title }));
  return findReferredTask(await given(created(1), ...tasks), text, 1);
}

describe("a task is named by its number", () => {
  test.each([
    ["#3", 3],
    ["task 3", 3],
    ["task #3", 3],
    ["TASK  3", 3],
    ["waits for task\n#3, then", 3],
    ["see (#3).", 3],
    ["#2 and #3", 2],
    ["#9, then #3", 3],
    ["the own #1, then #3", 3],
    ["task 1", undefined],
    ["task 9", undefined],
    ["#03", 3],
    ["3", undefined],
    ["tasks 3", undefined],
    ["multitask 3", undefined],
    ["#3rd", undefined],
    ["task 3rd", undefined],
    ["#12345678901", undefined],
  ])("%j means %s", async (text, expected) => {
    expect(await meantBy(text, "Login", "Audit")).toBe(expected);
  });

  test.each([
    "PR #3",
    "pr #3",
    "PRs #3",
    "MR#3",
    "MRs  #3",
    "pull request #3",
    "Pull  Requests #3",
    "merge request #3",
    "merge requests\n#3",
    "issue #3",
    "Issues #3",
    "PR: #3",
    "MRs : #3",
    "issue no. #3",
    "pull request No.#3",
    "merge requests no.: #3",
    "issue:\n#3",
  ])("%j is no task", async (text) => {
    expect(await meantBy(text, "Login", "Audit")).toBeUndefined();
  });

  test.each([
    ["PR #2 and #3", 3],
    ["PR #2 of task 3", 3],
    ["issue #2, #3", 3],
    ["issue task 3", 3],
    ["issue: task 3", 3],
    ["issue; #3", 3],
    ["issue no #3", 3],
    ["PR: no, #3", 3],
    ["issues are no. 1: #3", 3],
    ["tissue #3", 3],
    ["issued #3", 3],
    [`PR ${" ".repeat(50)}#3`, 3],
    [`PR ${" ".repeat(30)}#3 or #2`, 2],
  ])("%j means %i", async (text, expected) => {
    expect(await meantBy(text, "Login", "Audit")).toBe(expected);
  });
});

describe("else a task is named by its title", () => {
  test.each([
    ["that equals the text", "Login", ["Login", "Audit"], 2],
    ["that equals it but for letter case", "LOGIN für ÄRZTE", ["Login für Ärzte"], 2],
    ["that equals it but for blanks around", "  Login\n", [" Login "], 2],
    ["that equals it, before one that is contained", "Login page", ["Login", "Login page"], 3],
    ["unless two are equal", "Login", ["Login", "login"], undefined],
    [
      "unless two are equal, though a third is contained",
      "Login page",
      ["Login page", "login page", "page"],
      undefined,
    ],
    ["that is contained", "the login, of course", ["Login", "Audit"], 2],
    ["that is contained at the start", "login first", ["Login"], 2],
    ["that is contained at the end", "first the login", ["Login"], 2],
    ["unless two are contained", "login and audit", ["Login", "Audit"], undefined],
    ["unless it is only begun", "Log", ["Login"], undefined],
    ["of one letter", "part b", ["B"], 2],
    [
      "that is longer than the index looks",
      "the sixteen characters title, please",
      ["Sixteen characters title"],
      2,
    ],
    [
      "that is longer than the index looks, and goes on otherwise",
      "the sixteen characters text",
      ["Sixteen characters title"],
      undefined,
    ],
    ["of sixteen characters", "a sixteenletters!! b", ["Sixteenletters!!"], 2],
    ["with letters of two units", "see 🚀 launch now", ["🚀 Launch"], 2],
    ["where none fits", "the weather", ["Login"], undefined],
    ["where the number is of no task", "#9 login", ["Login"], 2],
  ] as const)("%s", async (_case, text, titles, expected) => {
    expect(await meantBy(text, ...titles)).toBe(expected);
  });

  test.each([
    ["alone", "Export", [], undefined],
    ["with another that is equal", "Export", ["export"], 2],
    ["with another that is contained", "Export of the login", ["Login"], 2],
    ["and is contained", "the export", [], undefined],
  ] as const)("but never by the own one, %s", async (_case, text, titles, expected) => {
    expect(await meantBy(text, ...titles)).toBe(expected);
  });
});

test.each([
  ["#3 and task 4, Task #5", "#103 and task 104, Task #105"],
  ["PR #3, issue #4, pull request #5", "PR #3, issue #4, pull request #5"],
  ["PR #3 of #3", "PR #3 of #103"],
  ["PR: #3, issue no. #4: #5", "PR: #3, issue no. #4: #105"],
  ["issue task 3", "issue task 103"],
  ["task 12 in 12 steps", "task 112 in 12 steps"],
  ["3 of 4", "3 of 4"],
  ["", ""],
])("the numbers of tasks in %j become others", (text, expected) => {
  expect(mapReferences(text, (id) => id + 100)).toBe(expected);
});
