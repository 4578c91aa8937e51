import { expect, test } from "vitest";
import { decide } from "../../src/decisions/decide.ts";
import { whyNothingIsReady } from "../../src/loop/waiting.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";

test("pending tasks are listed with the tasks they wait for, the gates to approve, or both", async () => {
  const { project } = await freshProject();
  const gate = { command: "npm test", max: 5, timeout_s: 300 };
  const byAgent = { actor: "agent" };
  await decide(project.store, createTask({ title: "One", gates: [gate] }), byAgent);
  await decide(project.store, createTask({ title: "Two", gates: [gate, gate], depends_on: [1] }), byAgent);
  await decide(project.store, createTask({ title: "Three", depends_on: [1] }), byAgent);
  expect((await whyNothingIsReady(project)).reason).toBe(
    "nothing is ready: #1 is waiting for you: a gate to approve; #2 is waiting for #1, you: 2 gates to approve; #3 is waiting for #1",
  );
});
