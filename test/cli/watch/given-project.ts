import type { Project } from "../../../src/api/project.ts";
import { recordSignal, reportState } from "../../../src/decisions/rules/reports.ts";
import type { ReportedState } from "../../../src/events/types/sessions.ts";
import type { Verb } from "../../../src/events/types/signals.ts";
import { createTask, endSession, startSession } from "../../../src/index.ts";
import { freshProject } from "../../support/project.ts";

/** What an agent says in a session of task 1. */
export function says(project: Project, session: string, verb: Verb, args: Record<string, unknown>, task = 1) {
  const { store } = project;
  return recordSignal(
    store,
    { task, session, actor: "agent" },
    { verb, args, id: store.environment.newId() },
  );
}

export function reports(project: Project, session: string, state: ReportedState) {
  const { store } = project;
  return reportState(store, { session, actor: "agent" }, { state, id: store.environment.newId() });
}

/** A project with one task. */
export async function givenTask() {
  const given = await freshProject();
  await given.project.decide(createTask({ title: "Export orders as CSV" }));
  return given;
}

/** A project with a task that waits for the answer to question 5; the log's head is 7. */
export async function givenQuestion() {
  const given = await givenTask();
  await given.project.decide(startSession({ task: 1, session: "s-1" }));
  await says(given.project, "s-1", "ask", {
    question: "Semicolons or tabs?",
    blocking: true,
    options: ["tabs", "semicolons"],
    preferred: "semicolons",
  });
  await says(given.project, "s-1", "partial", { summary: "The writer.", remaining: "The separator." });
  await given.project.decide(endSession({ session: "s-1", exit: "exited" }));
  return given;
}
