import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installed, useInstalled } from "./installed.ts";

useInstalled();

const GIVEN = `
import { createTask, deleteTask, setTaskStatus } from "signalbox";
import { given } from "signalbox/testing";

const task = createTask({ title: "Export orders as CSV" });
const skipped = setTaskStatus({ task: 1, status: "skipped" });
const skips = given(task).when(skipped);
const unknown = given(task).when(setTaskStatus({ task: 9, status: "skipped" }));
const set = { type: "task.status_set", payload: { task: 1, status: "skipped" } };

await outcome(() => skips.gives(set));
await outcome(() => skips.gives());
await outcome(() => skips.gives({ ...set, payload: { ...set.payload, task: 2 } }));
await outcome(() => skips.isRefused("not_found"));
await outcome(() => unknown.isRefused("not_found"));
await outcome(() => unknown.isRefused("already_decided"));
await outcome(() => unknown.gives());
await outcome(() => given(deleteTask({ task: 9 })).when(task).gives());

async function outcome(look: () => Promise<void>): Promise<void> {
  tell(await look().then(() => "holds", (error: Error) => error.name));
}
`;

test("given, when, then: what holds passes, and what does not is told by an error", () => {
  expect(installed().told(GIVEN)).toEqual([
    "holds",
    "AssertionError",
    "AssertionError",
    "AssertionError",
    "holds",
    "AssertionError",
    "Refusal",
    "Refusal",
  ]);
});

const REPEATED = `
import { createTask } from "signalbox";
import { openTestProject } from "signalbox/testing";

for (let run = 0; run < 2; run++) {
  await using project = await openTestProject({ actor: "driver" });
  const [created] = await project.decide(createTask({ title: "Export orders as CSV" }));
  tell([created.id, created.recordedAt, created.actor, created.position]);
}
`;

test("a project in memory gives the same ids and times for the same calls", () => {
  const [first, second] = installed().told(REPEATED);
  expect(first).toEqual([expect.any(String), expect.stringMatching(/^2026-01-01T12:00:00/), "driver", 3]);
  expect(second).toEqual(first);
});

const OWN_LOG = `
import { test } from "node:test";
import { openMemoryLog } from "signalbox/log";
import { logContract } from "signalbox/testing";

const heads = process.argv.includes("wrong") ? { head: async () => 0 } : {};
const cases = logContract(async (environment) => {
  const log = { ...openMemoryLog(environment()), ...heads };
  return { log, another: async () => log, reopen: async () => log, dispose: () => log.close() };
});
for (const { name, run } of cases) test(name, { timeout: 5_000 }, run);
`;

test("node:test runs the contract of event logs in a fresh project, without another package", () => {
  const { folder, run } = installed();
  writeFileSync(join(folder, "own-log.test.mjs"), OWN_LOG);
  const right = run("own-log.test.mjs").stdout;
  expect(right).toMatch(/^\S+ fail 0$/m);
  expect(Number(/^\S+ pass (\d+)$/m.exec(right)?.[1])).toBeGreaterThan(150);
  // What a failing test leaves open would keep the process.
  const args = ["--test-force-exit", "own-log.test.mjs", "wrong"];
  const wrong = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toMatch(
    /^(?:not ok \d+ -|✖) head and streamVersion follow every append of every handle/m,
  );
});
