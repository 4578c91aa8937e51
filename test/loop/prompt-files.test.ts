import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { changeFeature } from "../../src/operations/features.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { type Given, givenProject, linesOf, partOf } from "./given.ts";

/* Catches: a file that is named twice, one of a session that still runs, one of a task that has nothing to do with it. */

async function givenTasks(): Promise<Given> {
  const given = await givenProject();
  await given.decides(
    changeFeature({ name: "reports", context_files: ["docs/reports.md", "src/orders.ts"] }),
  );
  const of = { feature: "reports", discipline: "backend" };
  await given.decides(createTask({ title: "Writer", ...of }));
  await given.decides(createTask({ title: "Unrelated", ...of }));
  const context_files = ["src/export.ts", "src/orders.ts"];
  await given.decides(createTask({ title: "Export", ...of, depends_on: [1], context_files }));
  return given;
}

const changed = (session: string, task: number, ...files: string[]): Draft<"workspace.reported"> => ({
  type: "workspace.reported",
  payload: { session, task, files, more: 0 },
  actor: "driver",
});

test("files come from the feature, the task, its earlier sessions and the tasks that it depends on, each once", async () => {
  const given = await givenTasks();
  for (const [session, task, file] of [
    ["s-1", 1, "src/lib/csv.ts"],
    ["s-2", 2, "src/unrelated.ts"],
    ["s-3", 3, "src/dates.ts"],
  ] as const) {
    await given.session(session, task, [], null);
    await given.appends(changed(session, task, "src/export.ts", file));
    await given.appends({ type: "session.ended", payload: { session, exit: "exited" }, actor: "driver" });
  }
  const prompt = given.prompt(3);
  expect(linesOf(prompt, "feature_files")).toEqual(["| docs/reports.md", "| src/orders.ts"]);
  expect(linesOf(prompt, "task_files")).toEqual(["| src/export.ts"]);
  expect(linesOf(prompt, "changed_files")).toEqual(["> src/dates.ts"]);
  expect(linesOf(prompt, "dependency_files")).toEqual(["> src/lib/csv.ts"]);
  expect(partOf(prompt, "changed_files").entries[0]?.why).toBe("changed by session s-3");
  expect(partOf(prompt, "dependency_files").entries[0]?.why).toBe("changed by task 1");
  expect(prompt.positions).toContain(partOf(prompt, "changed_files").entries[0]?.positions[0]);
});

test("files changed by the running session are left out", async () => {
  const given = await givenTasks();
  await given.session("s-3", 3, [], null);
  await given.appends(changed("s-3", 3, "src/dates.ts"));
  expect(partOf(given.prompt(3), "changed_files").entries).toEqual([]);
});

test("the files that a task changed last come first", async () => {
  const given = await givenTasks();
  for (const session of ["s-1", "s-2"]) {
    await given.session(session, 3, [], null);
    await given.appends(changed(session, 3, `src/b-${session}.ts`, `src/a-${session}.ts`));
    await given.appends({ type: "session.ended", payload: { session, exit: "exited" }, actor: "driver" });
  }
  expect(linesOf(given.prompt(3), "changed_files").slice(0, 3)).toEqual([
    "> src/a-s-2.ts",
    "> src/b-s-2.ts",
    "> src/a-s-1.ts",
  ]);
});
