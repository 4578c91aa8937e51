import { expect, test } from "vitest";
import { beat } from "../../src/loop/drivers/registry.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { pauseWork } from "../../src/operations/work.ts";
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

test("status says what each loop does, and why the last one ended", async () => {
  const { project, folder: cwd, db } = await freshProject();
  const payload = { driver: "d-1", agent: "claude", jobs: 2 };
  await project.log.append([{ type: "loop.started", actor: "driver", payload }]);
  const says = async () => (await signalbox(["status"], { cwd })).stdout;
  expect(await says()).toContain("Last loop\n  d-1  ■ stopped · its process died\n");
  beat(db, "d-1", process.pid);
  expect(await says()).toContain("Loops\n  d-1  claude · 2 jobs  ◇ waiting for a task to become ready\n");
  await project.decide(createTask({ title: "Lay the points" }));
  await project.decide(pauseWork({ reason: "a new schema" }));
  expect(await says()).toContain("‖ paused by human: a new schema\n");
  const board = await signalboxJson(["status"], { cwd });
  expect(board).toMatchObject({ loops: [{ driver: "d-1", state: "paused" }], last_loop: null });
});
