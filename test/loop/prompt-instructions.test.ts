import { expect, test } from "vitest";
import { createTask } from "../../src/decisions/tasks.ts";
import { verbs } from "../../src/events/types/signals.ts";
import { instructionsPart } from "../../src/loop/prompt/instructions.ts";
import { PromptError } from "../../src/loop/prompt/prompt-error.ts";
import { givenProject } from "./given.ts";

/* Catches: a byte of a task, a project or a moment in what a model's cache is keyed by. */

test("every prompt begins with the same bytes, and they are those of the golden file", async () => {
  const stable = instructionsPart().entries[0]?.text ?? "";
  await expect(`${stable}\n`).toMatchFileSnapshot("prompt-instructions.txt");
  const given = await givenProject();
  await given.decides(createTask({ title: "A", feature: "core", discipline: "backend" }));
  await given.decides(createTask({ title: "B", feature: "reports", discipline: "backend" }));
  for (const task of [1, 2]) {
    expect(given.prompt(task).text.startsWith(`${stable}\n\n# `)).toBe(true);
  }
});

test("the instructions name every verb and take a quarter of the smallest budget at most", () => {
  const stable = instructionsPart().entries[0]?.text ?? "";
  for (const verb of [...verbs, "update_session_state"]) expect(stable).toContain(`\n- ${verb}(`);
  expect(stable.length).toBeLessThan(3_000);
});

test("without verbs there are no instructions, and that is an error", () => {
  expect(() => instructionsPart([])).toThrow(PromptError);
});
