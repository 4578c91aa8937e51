import { expect, test } from "vitest";
import type { Prompt } from "../../src/loop/prompt/part.ts";
import { approveSuggestion } from "../../src/operations/inbox-proposals.ts";
import { addLearning, markLearning } from "../../src/operations/learnings.ts";
import { endSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { listLearnings } from "../../src/queries/learnings.ts";
import { type Given, givenProject, linesOf, partOf } from "./given.ts";

/* Catches: a learning of another scope, one that is told twice, one that is left out before a less relevant one. */

async function givenTasks(): Promise<Given> {
  const given = await givenProject();
  const backend = { discipline: "backend" };
  await given.decides(createTask({ title: "Export orders as CSV", feature: "reports", ...backend }));
  await given.decides(createTask({ title: "Weekly mail", feature: "reports", ...backend }));
  await given.decides(createTask({ title: "Login form", feature: "core", ...backend }));
  return given;
}

const learned = (text: string, scope?: string, more = {}) =>
  ["learned", { text, kind: "discovery", ...(scope && { scope }), ...more }] as const;

/** What was learned, in the order of the text. */
function learnings(prompt: Prompt, scope: "project" | "feature" | "task"): string[] {
  return linesOf(prompt, `${scope}_learnings`).filter((line) => line.startsWith("> "));
}

/** The same, the most relevant first. */
function ranked(prompt: Prompt): string[] {
  return partOf(prompt, "project_learnings").entries.map(({ text }) => text.split("> ")[1] ?? "");
}

test("the project's learnings are in every prompt, a feature's only in its tasks' prompts", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [
    learned("Times are in UTC.", "project", { rationale: "Servers are everywhere." }),
    learned("Orders have no currency."),
  ]);
  expect(linesOf(given.prompt(3), "project_learnings")).toEqual([
    "- #8, discovery",
    "> Times are in UTC.",
    "> Rationale: Servers are everywhere.",
  ]);
  expect(learnings(given.prompt(3), "feature")).toEqual([]);
  expect(learnings(given.prompt(2), "feature")).toEqual(["> Orders have no currency."]);
  expect(given.prompt(2).positions).toEqual(expect.arrayContaining([8, 9]));
});

test("a learning of scope task is in the prompt only on a retry of that task", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [learned("The fixture is broken.", "task")], null);
  expect(learnings(given.prompt(1), "task")).toEqual([]);
  await given.decides(endSession({ session: "s-1", exit: "exited" }));
  expect(learnings(given.prompt(1), "task")).toEqual(["> The fixture is broken."]);
  expect(given.prompt(2).text).not.toContain("fixture");
});

test("a learning on a task that an agent proposed belongs to the task's feature", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [["suggest", { what: "Import", kind: "new_task", why: "Asked for." }]]);
  await given.decides(approveSuggestion({ id: 8 }));
  await given.session("s-2", 4, [learned("Imports are in Latin-1."), learned("Mine alone.", "task")]);
  expect(learnings(given.prompt(1), "feature")).toEqual(["> Imports are in Latin-1."]);
});

test("a learning of several sessions appears once, even with different scopes", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [learned("Times are in UTC.", "project"), learned("times are in UTC")]);
  await given.session("s-2", 2, [learned("Times are in UTC!", "project")]);
  expect(learnings(given.prompt(1), "project")).toEqual(["> Times are in UTC."]);
  expect(learnings(given.prompt(1), "feature")).toEqual([]);
});

test("learnings are ranked by the words of the task, of its description and of what remains", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [
    learned("Semicolons are doubled in every cell.", "project"),
    learned("The export of orders runs at night.", "project"),
    learned("Colours follow the brand book.", "project"),
    ["partial", { summary: "Half.", remaining: "Semicolons in cells." }],
  ]);
  expect(ranked(given.prompt(1)).at(-1)).toBe("Colours follow the brand book.");
  expect(ranked(given.prompt(1))).not.toEqual(ranked(given.prompt(3)));
  expect(ranked(given.prompt(3))[0]).toBe("Colours follow the brand book.");
  expect(linesOf(given.prompt(1), "relevant_learnings")[0]).toMatch(/^#[89], #[89]$/);
  expect(partOf(given.prompt(3), "relevant_learnings").entries).toEqual([]);
});

test("without words in common the newest and the most confirmed come first", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [
    learned("Alpha is red.", "project"),
    learned("Beta is green.", "project"),
    learned("Gamma is blue.", "project"),
  ]);
  expect(ranked(given.prompt(3))).toEqual(["Gamma is blue.", "Beta is green.", "Alpha is red."]);
  for (let again = 0; again < 15; again++)
    await given.session(`t-${again}`, 2, [learned("alpha is red", "project")]);
  await given.session("s-2", 1, [learned("Delta is grey.", "project")]);
  expect(ranked(given.prompt(3)).slice(0, 2)).toEqual(["Alpha is red.", "Delta is grey."]);
});

test("of thousands of learnings a limited number is ranked, including matching and often confirmed old ones", async () => {
  const given = await givenTasks();
  await given.session("s-1", 2, [
    learned("An order has no currency.", "project"),
    learned("Alpha is red.", "project"),
    learned("alpha is red", "project"),
  ]);
  for (let batch = 0; batch < 2; batch++) {
    const payload = { task: 2, session: "s-1", kind: "discovery", scope: "project" } as const;
    await given.appends(
      ...Array.from({ length: 500 }, (_, index) => ({
        type: "signal.learned" as const,
        actor: "agent",
        payload: { ...payload, text: `Number ${500 * batch + index} is odd.` },
      })),
    );
  }
  const prompt = given.prompt(1);
  expect(ranked(prompt)[0]).toBe("An order has no currency.");
  expect(ranked(prompt)).toContain("Alpha is red.");
  expect(ranked(prompt)).toHaveLength(202);
});

test("a word is found in the singular and in the plural", async () => {
  const given = await givenTasks();
  await given.session("s-1", 2, [
    learned("An order has no currency.", "project"),
    learned("Exports run at night.", "project"),
    learned("Colours follow the brand book.", "project"),
  ]);
  expect(linesOf(given.prompt(1), "relevant_learnings")[0]).toMatch(/^#[89], #[89]$/);
});

test("a learning that was repeated later comes before one first reported later", async () => {
  const given = await givenTasks();
  const texts = ["Alpha is red.", "Beta is green.", "Beta is green!", "Alpha is red!"];
  await given.session(
    "s-1",
    1,
    texts.map((text) => learned(text, "project")),
  );
  expect(ranked(given.prompt(3))).toEqual(["Alpha is red.", "Beta is green."]);
});

test("a task whose words are search operators works like any other", async () => {
  const given = await givenTasks();
  const title = `NEAR("a" AND) OR text:* - ^ "`;
  await given.decides(
    createTask({ title, description: "'); DROP", feature: "reports", discipline: "backend" }),
  );
  await given.session("s-1", 1, [learned("Near things are next to each other.", "project")]);
  expect(linesOf(given.prompt(4), "relevant_learnings")).toEqual(["#9"]);
});

test("a retired learning is in no prompt, can still be found, and stays retired when it is repeated", async () => {
  const given = await givenTasks();
  await given.session("s-1", 1, [learned("Times are in UTC.", "project")]);
  const [{ id: learning } = { id: 0 }] = listLearnings(given.store.readModel);
  expect(learnings(given.prompt(2), "project")).toEqual(["> Times are in UTC."]);
  await given.decides(markLearning({ learning, mark: "retired", reason: "Mail is local." }));
  await given.session("s-2", 1, [learned("times are in utc", "project")]);
  expect(learnings(given.prompt(2), "project")).toEqual([]);
  expect(listLearnings(given.store.readModel, { search: "utc" })).toMatchObject([
    { id: learning, mark: "retired", mark_reason: "Mail is local.", confirmations: 2 },
  ]);
  await given.decides(markLearning({ learning, mark: "none" }));
  expect(learnings(given.prompt(2), "project")).toEqual(["> Times are in UTC."]);
});

test("a pinned learning goes first if room is short", async () => {
  const given = await givenTasks();
  const [said] = await given.decides(
    addLearning({ text: "Golden files are made by a script.", source: "agent" }),
  );
  for (let nth = 1; nth <= 60; nth++) {
    const text = `Orders ${nth}: ${`CSV of orders is exported in chunks of ${nth}. `.repeat(8)}`;
    await given.decides(addLearning({ text, source: "agent" }));
  }
  const golden = "> Golden files are made by a script.";
  expect(learnings(given.prompt(1, { tokens: 6_000 }), "project")).not.toContain(golden);
  await given.decides(markLearning({ learning: said?.position ?? 0, mark: "pinned" }));
  expect(learnings(given.prompt(1, { tokens: 6_000 }), "project")).toContain(golden);
  expect(ranked(given.prompt(1))[0]).toBe("Golden files are made by a script.");
});
