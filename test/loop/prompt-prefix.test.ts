import { expect, test } from "vitest";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type Given, givenProject } from "./given.ts";

/* Catches: something that changes often, or differs between tasks, before something that does not. */

async function givenFeature(): Promise<Given> {
  const given = await givenProject();
  for (const [title, feature] of [
    ["Export orders", "reports"],
    ["Weekly mail", "reports"],
    ["Login", "core"],
  ] as const) {
    await given.decides(createTask({ title, feature, discipline: "backend" }));
  }
  await given.session("s-1", 1, [
    ["learned", { text: "Mail goes out at night.", kind: "discovery" }],
    ["learned", { text: "Orders are never deleted.", kind: "discovery" }],
    ["learned", { text: "The weekly run is on Monday.", kind: "convention", scope: "project" }],
    ["learned", { text: "Every export is in UTC.", kind: "convention", scope: "project" }],
    ["flag", { what: "Slow.", severity: "blocking", category: "bug" }],
    ["partial", { summary: "Half.", remaining: "The rest." }],
  ]);
  return given;
}

function common(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}

test("prompts of two tasks of a feature are equal up to the task, even if its words rank learnings differently", async () => {
  const given = await givenFeature();
  const shared = common(given.prompt(1).text, given.prompt(2).text);
  expect(shared.endsWith("\n# Your task, number ")).toBe(true);
  for (const known of [
    "UTC",
    "Monday",
    "Numbers for people",
    "at night",
    "never deleted",
    "Servers and data",
  ]) {
    expect(shared).toContain(known);
  }
});

test("prompts of tasks of two features share what is known about the project", async () => {
  const given = await givenFeature();
  expect(common(given.prompt(1).text, given.prompt(3).text)).toMatch(
    /Every export is in UTC\.\n\n# The feature\n/,
  );
});

test("a task's events change nothing before its part, and a new session only the end", async () => {
  const given = await givenFeature();
  const before = given.prompt(1).text;
  await given.decides(addComment({ task: 1, author: "Ada", body: "Faster, please." }));
  await given.session("s-2", 1, [["stuck", { reason: "No data." }]]);
  expect(common(before, given.prompt(1).text)).toMatch(/# Your task, number 1\n\n\| Export orders\n\n# $/);
  const sessions = ["s-3", "t-3"].map((session) => given.prompt(1, { session }).text);
  expect(common(sessions[0] ?? "", sessions[1] ?? "")).toMatch(/# Your session\n\nYour sessionId is $/);
});

test("a new learning leaves the older ones where they were", async () => {
  const given = await givenFeature();
  const before = given.prompt(2).text;
  await given.session("s-2", 2, [
    ["learned", { text: "Weekly mail has no orders.", kind: "discovery", scope: "project" }],
  ]);
  expect(common(before, given.prompt(2).text)).toMatch(/> Every export is in UTC\.\n$/);
});
