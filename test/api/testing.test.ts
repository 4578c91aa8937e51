import { expect, test } from "vitest";
import { installed } from "./installed.ts";

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
