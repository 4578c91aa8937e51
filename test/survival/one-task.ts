import { expect } from "vitest";
import { initProject, openProject } from "../../src/api/project.ts";
import type { Event } from "../../src/events/types/index.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { everythingIn, temporaryFolder } from "../events/given.ts";
import { SESSION, TASK } from "./line-kinds.ts";

/** A project with one task and an open session, to be copied for each point. */
export async function givenProject() {
  const folder = temporaryFolder();
  await initProject(folder.path);
  const project = await openProject(folder.path);
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: TASK, session: SESSION }));
  await project.close();
  return folder;
}

/** All events of the project of a folder, whose projections must all run. */
export async function eventsIn(folder: string): Promise<readonly Event[]> {
  const project = await openProject(folder);
  try {
    const stopped = (await project.queries.projections()).filter(({ state }) => state === "stopped");
    expect(stopped).toEqual([]);
    return await everythingIn(project.log);
  } finally {
    await project.close();
  }
}
