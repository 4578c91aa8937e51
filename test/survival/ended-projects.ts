import { initProject, openProject, type Project } from "../../src/api/project.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comments } from "../events/given.ts";
import { freshContentHash } from "./whole-project.ts";

export const SESSION = "s-1";

/** Makes a project with one task, and a session on it. */
export async function makeFewEvents(folder: string): Promise<void> {
  const project = await make(folder);
  await project.close();
}

/**
 * Makes a project whose read model knows half of the log. In the long run there are so many events that a rebuild takes
 * several transactions.
 *
 * @returns the content hash that the read model will have at the head
 */
export async function makeManyEvents(folder: string): Promise<string> {
  const half = process.env.SIGNALBOX_LONG === undefined ? 2_500 : 6_000;
  const project = await make(folder);
  await appendSome(project, half);
  await catchUp(project.store.readModel, project.log);
  await appendSome(project, half);
  const hash = await freshContentHash(project.log);
  await project.close();
  return hash;
}

async function make(folder: string): Promise<Project> {
  await initProject(folder);
  const project = await openProject(folder);
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: SESSION }));
  return project;
}

async function appendSome({ log }: Project, count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await log.append([...comments(400, `after ${done}`), ...learnings(100, done)]);
  }
}

function learnings(count: number, label: number): Draft<"signal.learned">[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "signal.learned",
    payload: { text: `Finding ${label} ${index}.`, kind: "discovery", task: 1, session: SESSION },
    actor: "agent",
    correlation: SESSION,
  }));
}
