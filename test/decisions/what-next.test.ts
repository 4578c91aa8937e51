import { expect, test } from "vitest";
import { reportSignal, type Signal } from "../../src/decisions/rules/signal-report.ts";
import type { PolicyName, PolicyValue } from "../../src/events/types/policies.ts";
import { createGeneral } from "../../src/operations/general.ts";
import { setPolicy } from "../../src/operations/policies.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { givenStore } from "./given.ts";

/* Catches: an agent that is told of a rule which the project has changed. */

type Said = Omit<Signal, "id">;
const done: Said = { verb: "done", args: { summary: "All." } };
const partial: Said = { verb: "partial", args: { summary: "Half.", remaining: "Half." } };
const stuck: Said = { verb: "stuck", args: { reason: "No GPU." } };
const ask: Said = { verb: "ask", args: { question: "Tabs?", blocking: true } };

test.each<[set: Partial<Record<PolicyName, PolicyValue>>, said: Said[], next: string]>([
  [
    {},
    [done],
    "When the session ends, the task is done, unless partial or stuck follows. End your work here.",
  ],
  [{ closing: "first" }, [done], "When the session ends, the task is done. End your work here."],
  [
    { closing: "first" },
    [partial, done],
    "partial stands: the first closing verb counts. When the session ends, the task goes back to the queue. End your work here.",
  ],
  [
    { closing: "worst" },
    [stuck, partial],
    "stuck stands: the worst closing verb counts. When the session ends, the task goes back to the queue. End your work here.",
  ],
  [
    {},
    [stuck],
    "When the session ends, the task goes back to the queue. End your work here. If you made progress, call partial instead; the last closing verb counts.",
  ],
  [
    { stuck_limit: 1, waiting_is_stuck: true },
    [ask, partial],
    "When the session ends, the task fails, with stuck count 1 of 1. End your work here.",
  ],
  [
    { no_progress: 1 },
    [partial],
    "When the session ends, the task goes back to the queue, or waits for a human's answer if its workspace has not changed. End your work here.",
  ],
  [
    { partials: 1 },
    [partial],
    "When the session ends, the task waits for a human's answer. End your work here.",
  ],
])("under %j an agent is told what its last report comes to: %#", async (set, said, next) => {
  const { store, does } = givenStore();
  // The pairs lose which value is whose.
  const policies = Object.entries(set) as never as [PolicyName, PolicyValue][];
  await does(
    createGeneral(),
    ...policies.map(([policy, value]) => setPolicy({ policy, value })),
    createTask({ title: "Export" }),
    startSession({ task: 1, session: "s-1", workspace: "a" }),
  );
  const reporter = { task: 1, session: "s-1", actor: "agent" };
  const advice = { unknownTask: "", otherTask: "" };
  const reports: string[] = [];
  for (const one of said) {
    const report = await reportSignal(store, reporter, { ...one, id: store.environment.newId() }, advice);
    reports.push(report.next);
  }
  expect(reports.at(-1)).toBe(next);
});
