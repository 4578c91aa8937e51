import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { repetitionLine } from "../../src/operations/repetition-line.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { attempt, end, partial, start } from "../projections/loop-drafts.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

async function repeat(project: Project, task: number): Promise<void> {
  const sessions = [1, 2].map((count) => `s-${task}-${count}`);
  for (const session of sessions) {
    await project.log.append([start(task, session), partial(task, session, "The dates."), end(session)]);
  }
}

test("task show and status say of a task that it repeats itself, until it says something else", async () => {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await repeat(project, 1);

  const shown = await signalbox(["task", "show", "1"], { cwd: folder });
  expect(shown.stdout).toContain("\n⟳ the same remaining work for the 2nd time (#8)\n");
  expect(await signalboxJson(["task", "show", "1"], { cwd: folder })).toMatchObject({
    repetitions: [{ id: 8, kind: "remaining", gate: 0, repeats: 5, times: 2, lasts: true }],
  });
  const board = await signalbox(["status"], { cwd: folder });
  expect(board.stdout).toContain(
    "\nRepeating themselves\n  #1 Export as CSV  ⟳ the same remaining work for the 2nd time (#8)\n",
  );
  expect(await signalboxJson(["status"], { cwd: folder })).toMatchObject({
    repeating: [{ task: 1, title: "Export as CSV", kind: "remaining", gate: 0, times: 2, position: 8 }],
  });

  await project.log.append([start(1, "s-3"), partial(1, "s-3", "The quotes."), end("s-3")]);
  expect((await signalbox(["task", "show", "1"], { cwd: folder })).stdout).not.toContain("⟳");
  expect(await signalboxJson(["status"], { cwd: folder })).toMatchObject({ repeating: [] });
});

test("status shows 8 tasks that repeat themselves, and has all of them as JSON", async () => {
  const { project, folder } = await freshProject();
  for (let task = 1; task <= 9; task++) {
    await project.decide(
      createTask({ title: `Task ${task}`, gates: [{ command: "true", max: 5, timeout_s: 1 }] }),
    );
    await project.log.append([attempt(task, "no"), attempt(task, "no")]);
  }
  const { stdout } = await signalbox(["status"], { cwd: folder });
  expect(stdout.match(/⟳ the same failure of gate 1 for the 2nd time/g)).toHaveLength(8);
  expect(stdout).toContain("… and 1 more");
  expect(await signalboxJson(["status"], { cwd: folder })).toMatchObject({ repeating: { length: 9 } });
});

test.each([
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [21, "21st"],
  [113, "113th"],
])("%i times is the %s time", (times, ordinal) => {
  expect(repetitionLine({ kind: "remaining", gate: 0, times }, 1)).toContain(` ${ordinal} time `);
});
