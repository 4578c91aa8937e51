import { expect, test } from "vitest";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type Given, givenProject } from "./given.ts";

/* Catches: a prompt that is silent about what it must say, as if there were nothing to say. */

async function givenHistory(): Promise<Given> {
  const given = await givenProject();
  const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];
  const of = { feature: "core", discipline: "backend" };
  await given.decides(createTask({ title: "Export", criteria: ["True."], gates, ...of }));
  await given.session("s-1", 1, [["stuck", { reason: "No GPU." }]]);
  await given.session("s-2", 1, [
    ["ask", { question: "Tabs?", blocking: true }],
    ["partial", { summary: "Half.", remaining: "The rest." }],
  ]);
  const [id = 0] = given.idsOf("questions");
  await given.decides(answerQuestion({ id, answer: "No." }));
  return given;
}

test.each([
  ["the title", "UPDATE tasks SET title = ' '", "title of task 1"],
  ["a criterion", `UPDATE tasks SET criteria = '["True.", ""]'`, "criterion 2 of task 1"],
  ["the pseudocode", "UPDATE tasks SET pseudocode = '\n'", "pseudocode of task 1"],
  ["a gate's command", "UPDATE gates SET command = ''", "command of gate 1 of task 1"],
  [
    "what remains",
    "UPDATE sessions SET last_closing_text = '\n' WHERE id = 's-2'",
    "remaining work of session s-2",
  ],
  ["what was done", "UPDATE signals SET payload = '{}' WHERE verb = 'partial'", "summary of session s-2"],
  ["the last partial", "DELETE FROM signals", "summary of session s-2"],
  ["an answer", "UPDATE questions SET answer = NULL", "answer to question"],
  [
    "a reason for being stuck",
    "UPDATE sessions SET last_closing_text = '' WHERE id = 's-1'",
    "stuck of session s-1",
  ],
  ["the stuck session", "UPDATE sessions SET closing = 'partial' WHERE id = 's-1'", 'part "stuck"'],
])("a read model without %s is an error, not a blank", async (_what, sql, message) => {
  const given = await givenHistory();
  expect(given.prompt(1).text).toContain("No GPU.");
  given.store.readModel.database.exec(sql);
  expect(() => given.prompt(1)).toThrow(
    expect.objectContaining({ code: "empty_part", message: expect.stringContaining(message) }),
  );
});

test("zero-width texts recorded by an older program do not break a prompt", async () => {
  const given = await givenHistory();
  given.store.readModel.database.exec("UPDATE sessions SET last_closing_text = '\u200b' WHERE id = 's-2'");
  expect(given.prompt(1).text).toContain("\\u{200b}");
});

test("a task that is not there has no prompt", async () => {
  const given = await givenHistory();
  expect(() => given.prompt(9)).toThrow(expect.objectContaining({ code: "not_found" }));
});
