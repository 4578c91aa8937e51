import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { closingVerbs, verbs } from "../../src/events/types/signals.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { instructionsPart } from "../../src/loop/prompt/instructions.ts";
import { NoClosingVerbError } from "../../src/mcp/launching/closing.ts";
import { findRecipe, type RecipeName } from "../../src/mcp/recipes.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type ToolName, toolNames } from "../../src/operations/tool-names.ts";
import { givenDiscipline } from "../mcp/launching/given.ts";
import { givenProject } from "./given.ts";

/* Catches: a byte of a task, a project or a moment in what a model's cache is keyed by; a tool that is not there. */
const toolsOf = (recipe: RecipeName) => findRecipe(recipe)?.tools ?? [];
const textFor = (tools: readonly ToolName[]) => instructionsPart(tools).entries[0]?.text ?? "";

/** The tools that a text names as such; `blocked` and `stuck` are words of their own too, so their calls alone count. */
function named(text: string): Set<string> {
  const calls = text.matchAll(/^- (\w+)\(/gm);
  const spoken = text.matchAll(/(?:close\s+with|call|^-) (done|partial|stuck|blocked)\b/gm);
  const asked = text.matchAll(/\b(ask) with blocking/g);
  const listed = [...text.matchAll(/^- [a-z ]+: ([a-z_, ]+)$/gm)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
  return new Set([...[...calls, ...spoken, ...asked].map(([, name = ""]) => name), ...listed]);
}

test("every prompt begins with the bytes of the golden file", async () => {
  const stable = textFor(toolsOf("signals"));
  expect(`${stable}\n`).toBe(readFileSync(packagePath("test/loop/prompt-instructions.txt"), "utf8"));
  const given = await givenProject();
  await given.decides(createTask({ title: "A", feature: "core", discipline: "backend" }));
  await given.decides(createTask({ title: "B", feature: "reports", discipline: "backend" }));
  for (const task of [1, 2]) {
    expect(given.prompt(task).text.startsWith(`${stable}\n\n# `)).toBe(true);
  }
});

test("the instructions name every verb and take a quarter of the smallest budget at most", () => {
  const stable = textFor(toolsOf("signals"));
  for (const verb of [...verbs, "update_session_state"]) expect(stable).toContain(`\n- ${verb}(`);
  expect(stable.length).toBeLessThan(3_000);
});

test("with any tools removed, the instructions explain or name exactly the remaining ones", () => {
  fc.assert(
    fc.property(
      fc.subarray([...toolNames]).filter((tools) => closingVerbs.some((verb) => tools.includes(verb))),
      (tools) => {
        expect([...named(textFor(tools))].sort()).toEqual([...tools].sort());
      },
    ),
  );
});

test("without ask, suggest and two closing verbs no text suggests calling them", async () => {
  const given = await givenProject();
  const disabled_tools = ["ask", "suggest", "done", "partial"];
  await givenDiscipline(given, "docs", { disabled_tools });
  await given.decides(createTask({ title: "A", feature: "core", discipline: "docs" }));
  const { text } = given.prompt(1);
  expect(text).not.toMatch(/\b(ask|asks|suggest|done|partial)\b/);
  expect(text).toContain("Close the session with this as your last report:\n\n- stuck(");
  expect(text).toContain("stops you, call blocked, then close\n  with stuck.\n");
});

test("further tools of the recipe are named by their families", async () => {
  const given = await givenProject();
  await given.decides(createTask({ title: "A", feature: "core", discipline: "backend" }));
  expect(given.prompt(1, { recipe: "task_execution" }).text).toContain(`
# What else you can call

\`ralph\` also has these tools; your client knows their arguments:

- tasks: get_task, set_task_status
- comments: add_task_comment
- features: add_feature_context_file
- project: get_project_info
- state files: append_learning, read_learnings, append_progress, read_progress

# The feature
`);
  expect(given.prompt(1).text).not.toContain("What else you can call");
});

test("tasks of one recipe and discipline have the same instructions", async () => {
  const given = await givenProject();
  await givenDiscipline(given, "docs", { disabled_tools: ["ask", "get_task"] });
  await given.decides(createTask({ title: "A", feature: "core", discipline: "docs" }));
  await given.decides(createTask({ title: "B", feature: "reports", discipline: "docs" }));
  const stable = textFor(toolsOf("task_execution").filter((tool) => tool !== "ask" && tool !== "get_task"));
  for (const task of [1, 2]) {
    expect(given.prompt(task, { recipe: "task_execution" }).text.startsWith(`${stable}\n\n# `)).toBe(true);
  }
});

test("a prompt for an agent that could not close its session is refused", async () => {
  const given = await givenProject();
  await givenDiscipline(given, "docs", { disabled_tools: [...closingVerbs] });
  await given.decides(createTask({ title: "A", feature: "core", discipline: "docs" }));
  for (const recipe of ["signals", "task_execution", "all"] as const) {
    expect(() => given.prompt(1, { recipe })).toThrow(NoClosingVerbError);
  }
  expect(() => given.prompt(1)).toThrow('the discipline "docs" removes done, partial, stuck');
});
