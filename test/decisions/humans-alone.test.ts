import { expect, test } from "vitest";
import { decide } from "../../src/decisions/decide.ts";
import { startGateRun } from "../../src/decisions/rules/gate-runs.ts";
import { AGENT } from "../../src/events/actors.ts";
import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { recordGateAttempt } from "../../src/operations/gates.ts";
import { markLearning, splitLearning } from "../../src/operations/learnings.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";

const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];

test.each([
  ["accepts no work", acceptTask({ task: 1 }), "An agent cannot accept work or send it back"],
  ["sends no work back", sendBackTask({ task: 1, comment: "No." }), "An agent cannot accept work"],
  [
    "pins no learning",
    markLearning({ learning: 1, mark: "pinned" }),
    "Only a human pins or retires a learning.",
  ],
  ["splits no learning", splitLearning({ source: 1 }), "Only a human splits a learning."],
  [
    "says of no gate that it has passed",
    recordGateAttempt({ task: 1, gate: 1, exit_code: 0 }),
    "An agent cannot decide on a gate",
  ],
])("an agent %s", async (_what, decision, message) => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export", accept: "human", gates }));
  const head = await project.log.head();
  await expect(decide(project.store, decision, { actor: AGENT })).rejects.toThrow(message);
  expect(await project.log.head()).toBe(head);
});

test("an agent ends a session that no driver watches, and no other", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  await project.decide(createTask({ title: "Import" }));
  await project.decide(startSession({ task: 1, session: "s-1", driver: "d-1" }));
  await project.decide(startSession({ task: 2, session: "s-2" }));
  const ending = (session: string) =>
    decide(project.store, endSession({ session, exit: "exited" }), { actor: AGENT });
  await expect(ending("s-1")).rejects.toThrow("the driver d-1 watches session");
  expect(await project.queries.sessionRow("s-1")).toMatchObject({ exit: null });
  expect(await ending("s-2")).toMatchObject([{ type: "session.ended" }]);
});

test("no gate is run in the course of a session that has ended", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export", gates }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const runner = { host: "here", pid: 1, mark: "0190a6c2-7a34-7c1e-8d52-3f9b6f0a4e11" };
  const start = startGateRun({ task: 1, gate: 1, session: "s-1", baseline: false, runner });
  expect(await project.decide(start)).toMatchObject([{ type: "gate.started", correlation: "s-1" }]);
  await project.decide(endSession({ session: "s-1", exit: "exited" }));
  await expect(project.decide(start)).rejects.toThrow("Session s-1 has ended, so its gates no longer run.");
});
