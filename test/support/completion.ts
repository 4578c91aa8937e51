import { createFeature, createTask, startSession } from "../../src/index.ts";
import { freshProject } from "./project.ts";

/** What an agent could write to run something where a shell does not quote it. */
export const EVIL = 'it\'s "$(touch pwned)" `touch pwned`; touch pwned';

/** A project with names as agents may give them: two tasks, two features, two sessions. */
export async function givenNames(): Promise<{ folder: string; db: string }> {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: `Colon: a\u001b[2Jb ${EVIL}` }));
  await project.decide(createTask({ title: "Second" }));
  await project.decide(createFeature({ name: `zeta ${EVIL}` }));
  await project.decide(startSession({ task: 1, session: "s:one" }));
  await project.decide(startSession({ task: 2, session: "s:two" }));
  await project.queries.inboxCount();
  return { folder, db };
}
