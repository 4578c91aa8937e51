import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

test("status shows the beginning of each list, its length, and the command for all of it", async () => {
  const { project, folder: cwd } = await freshProject();
  for (let task = 1; task <= 101; task++) await project.decide(createTask({ title: `Task ${task}` }));
  await project.decide(createTask({ title: "Later", depends_on: [1] }));
  for (let task = 1; task <= 9; task++)
    await project.log.append([
      {
        type: "signal.flag",
        actor: "agent",
        payload: { task, session: `s-${task}`, what: `Flag ${task}`, severity: "blocking", category: "bug" },
      },
    ]);
  const board = (await signalboxJson(["status"], { cwd })) as { next: { id: number }[] };
  expect(board).toMatchObject({
    inbox: { length: 9 },
    next: { length: 92 },
    waiting: [{ id: 102, open_dependencies: 1 }],
    totals: { inbox: 9, next: 92, waiting: 1, failed: 0 },
  });
  const { stdout } = await signalbox(["status"], { cwd });
  expect(stdout).toContain("… and 1 more: signalbox inbox list\n");
  expect(stdout).toContain("… and 84 more: signalbox task list --status pending\n");
  expect(stdout).toContain("#102 Later  after #1");
});
