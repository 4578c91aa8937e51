import { expect, test } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import type { Verb } from "../../src/events/types/signals.ts";
import { acceptTask, sendBackTask } from "../../src/operations/acceptance.ts";
import { actOnGate, decideOnGates, declareGates, recordGateAttempt } from "../../src/operations/gates.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a fact that is taken for another one: a claim for a proof, gates that passed for a human's word. */
async function given(gates: readonly string[] = [], accept: "auto" | "human" = "auto") {
  const { project } = await freshProject();
  const decides = async (...decisions: readonly Decision[]) => {
    for (const decision of decisions) await project.decide(decision);
    return project.log.head();
  };
  await decides(
    createTask({
      title: "Export",
      accept,
      gates: gates.map((command) => ({ command, max: 1, timeout_s: 5 })),
    }),
  );
  return {
    project,
    decides,
    async says(verb: Verb, args: Record<string, unknown>, session = "s-1") {
      const id = project.store.environment.newId();
      await recordSignal(project.store, { task: 1, session, actor: "agent" }, { verb, args, id });
      return project.log.head();
    },
    proof: async () => (await project.queries.taskRow(1))?.proof,
  };
}

const start = (session = "s-1") => startSession({ task: 1, session, force: true });
const end = (session = "s-1") => endSession({ session, exit: "exited" });
const attempt = (gate: number, exit_code: number) =>
  recordGateAttempt({ task: 1, gate, session: "s-1", exit_code });
const done = ["done", { summary: "All of it." }] as const;

test("a task without sessions has no proof", async () => {
  const { proof } = await given(["npm test"]);
  expect(await proof()).toBeNull();
});

test("without gates a done is claimed, and the proof says that there are none", async () => {
  const { decides, says, proof } = await given();
  await decides(start());
  const position = await says(...done);
  await decides(end());
  expect(await proof()).toEqual({
    session: "s-1",
    claimed: { position },
    worked: null,
    verified: "no_gates",
    gates: [],
    accept: "auto",
    accepted: null,
  });
});

test("a done whose gates failed or did not run is claimed and not verified", async () => {
  const { decides, says, proof } = await given(["npm test", "tsc"]);
  await decides(start(), attempt(1, 1));
  await says(...done);
  await decides(end());
  expect(await proof()).toMatchObject({
    claimed: { position: expect.any(Number) },
    verified: "no",
    gates: [
      { gate: 1, state: "escalated", position: null, workspace: null },
      { gate: 2, state: "pending", position: null, workspace: null },
    ],
  });
});

test("passed and skipped gates verify a done, each with its event; a stuck agent has claimed nothing", async () => {
  const { decides, says, proof } = await given(["npm test", "tsc"]);
  const passed = await decides(start(), attempt(1, 0));
  const skipped = await decides(attempt(2, 1), actOnGate({ task: 1, gate: 2, action: "skip" }));
  await says(...done);
  await says("stuck", { reason: "After all." });
  await decides(end());
  expect(await proof()).toMatchObject({
    claimed: null,
    verified: "yes",
    gates: [
      { gate: 1, state: "passed", position: passed },
      { gate: 2, state: "skipped", position: skipped },
    ],
  });
});

test("a gate that a human rejected is skipped by that", async () => {
  const { project, decides, proof } = await given();
  const gates = [{ command: "true", max: 1, timeout_s: 5 }];
  await decide(project.store, declareGates({ task: 1, gates }), { actor: "agent" });
  const rejected = (await decides(decideOnGates({ task: 1, approve: false }), start())) - 1;
  expect(await proof()).toMatchObject({ verified: "yes", gates: [{ state: "skipped", position: rejected }] });
});

test("the next session has to prove everything again", async () => {
  const { decides, says, proof } = await given(["npm test"]);
  await decides(start(), attempt(1, 0));
  await says("partial", { summary: "Half.", remaining: "Half." });
  await decides(end(), start("s-2"));
  expect(await proof()).toMatchObject({
    session: "s-2",
    claimed: null,
    verified: "no",
    gates: [{ state: "pending", position: null }],
  });
});

test("a verified done accepted by a human names the human; a returned one is not accepted", async () => {
  const { project, decides, says, proof } = await given([], "human");
  await decides(start());
  await says(...done);
  await decides(end(), sendBackTask({ task: 1, comment: "No header." }));
  expect(await proof()).toMatchObject({ session: "s-1", accept: "human", accepted: null });
  await decides(start("s-2"));
  await says(...done, "s-2");
  await decides(end("s-2"));
  expect(await proof()).toMatchObject({ claimed: {}, verified: "no_gates", accepted: null });
  const position = await decides(acceptTask({ task: 1 }));
  const accepted = { by: "human", position, created: expect.any(String) };
  expect(await proof()).toMatchObject({ session: "s-2", accepted });
  await decides(start("s-3"));
  expect(await proof()).toMatchObject({ session: "s-3", accepted: null });
  expect(await project.queries.sessionDetails("s-3")).toMatchObject({ proof: { session: "s-3" } });
  expect(await project.queries.sessionDetails("s-2")).toMatchObject({ proof: null });
});
