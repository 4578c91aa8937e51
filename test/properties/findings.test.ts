import { expect, test } from "vitest";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { recordSignal } from "../../src/decisions/rules/reports.ts";
import { stateOf } from "../../src/decisions/state.ts";
import type { Verb } from "../../src/events/types/signals.ts";
import { idFromKey } from "../../src/lib/ids.ts";
import { acceptTask } from "../../src/operations/acceptance.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { actOnGate, recordGateAttempt } from "../../src/operations/gates.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { openMemoryStore } from "./executor.ts";

/** The smallest histories of what the properties found, each a sentence of its own. */
async function givenProject(...decisions: Decision[]) {
  const store = openMemoryStore();
  let signals = 0;
  const project = {
    state: stateOf(store.readModel),
    act: (decision: Decision, key?: string) => decide(store, decision, { actor: "human", key }),
    async signal(task: number, session: string, verb: Verb, args: Record<string, unknown>) {
      const id = idFromKey("signal", String(signals++));
      await recordSignal(store, { task, session, actor: "agent" }, { verb, args, id });
      return catchUp(store.readModel, store.log);
    },
  };
  for (const decision of [
    createFeature({ name: "general" }),
    createDiscipline({ name: "general" }),
    ...decisions,
  ]) {
    await project.act(decision);
  }
  return project;
}

test("a task that failed by an aborted gate does not wait to be accepted", async () => {
  const gates = [{ command: "npm test", max: 1, timeout_s: 300 }];
  const { state, act, signal } = await givenProject(createTask({ title: "Export", accept: "human", gates }));
  await act(startSession({ task: 1, session: "s-1" }));
  await act(recordGateAttempt({ task: 1, gate: 1, session: "s-1", exit_code: 0 }));
  await signal(1, "s-1", "done", { summary: "Exported." });
  await act(endSession({ session: "s-1", exit: "exited" }));
  await act(recordGateAttempt({ task: 1, gate: 1, exit_code: 1 }));
  await act(actOnGate({ task: 1, gate: 1, action: "abort" }));
  expect(state.tasks.get(1)).toMatchObject({ status: "failed", awaiting_acceptance: 0 });
  await expect(act(acceptTask({ task: 1 }))).rejects.toThrow("is not waiting for acceptance");
});

test("a decision with unordered dependencies can be repeated", async () => {
  const titles = ["Export", "Login", "Audit"];
  const { act } = await givenProject(...titles.map((title) => createTask({ title })));
  const creation = createTask({ title: "Print", depends_on: [2, 1, 2] });
  expect(await act(creation, "create")).toEqual(await act(creation, "create"));
  const change = changeTask({ task: 3, depends_on: [2, 1] });
  expect(await act(change, "change")).toEqual(await act(change, "change"));
});
