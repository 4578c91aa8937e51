import { randomUUID } from "node:crypto";
import type { Project } from "../../../src/api/project.ts";
import { recordSignal } from "../../../src/decisions/rules/reports.ts";
import type { SessionExit } from "../../../src/events/types/sessions.ts";
import type { Verb } from "../../../src/events/types/signals.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";

/** A task on which a test plays the agent. @returns its id */
export async function freshTask(project: Project, input: Parameters<typeof createTask>[0]): Promise<number> {
  await project.decide(createTask(input));
  const id = (await project.queries.tasks()).at(-1)?.id;
  if (id === undefined) throw new Error("The task is not there.");
  return id;
}

export async function start(project: Project, task: number, session: string): Promise<void> {
  await project.decide(startSession({ task, session, force: true }));
}

/** A signal of an agent. @returns its position */
export async function say(
  project: Project,
  from: { readonly task: number; readonly session: string },
  verb: Verb,
  args: Record<string, unknown>,
): Promise<number> {
  const signal = { verb, args, id: randomUUID() };
  const { events } = await recordSignal(project.store, { ...from, actor: "agent" }, signal);
  return events[0]?.position ?? 0;
}

export async function end(project: Project, session: string, exit: SessionExit = "exited"): Promise<void> {
  await project.decide(endSession({ session, exit }));
}
