import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openProject, type Project, readModelPathIn } from "../../src/api/project.ts";
import { openStore, type Store } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { makeToken } from "../../src/mcp/http/tokens.ts";
import { sessionVariables } from "../../src/mcp/session-variables.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { trustFile } from "../../test/support/trust-file.ts";
import { copyHistory, copyReadModel } from "./history-cache.ts";
import type { Scratch } from "./scratch.ts";

/** Makes a project folder with a log of so many events; its read model is still empty. */
export async function fillProject(
  scratch: Scratch,
  count: number,
  tasks: "growing" | number = "growing",
): Promise<string> {
  const folder = scratch.path(`project-${count}`);
  const path = readModelPathIn(folder);
  mkdirSync(dirname(path), { recursive: true });
  await copyHistory(logPathBeside(path), count, tasks);
  trustFile(path);
  return folder;
}

/** The tasks of a long log of the panel: as many as it is made for. */
export const PANEL_TASKS = 10_000;

/** Those of a log of so many events: one to ten events of a shorter log. */
export function panelTasks(count: number): number {
  return Math.min(PANEL_TASKS, count / 10);
}

/** The same for the panel: with its tasks, and with its read model. */
export async function fillPanelProject(scratch: Scratch, count: number): Promise<string> {
  const folder = await fillProject(scratch, count, panelTasks(count));
  await copyReadModel(readModelPathIn(folder), count, panelTasks(count), async () => {
    const project = await openProject(folder);
    await project.queries.project();
    await project.close();
  });
  return folder;
}

/** Adds a task with an open session, and returns what an agent's server is launched with. */
export async function addSession(folder: string, session = "bench"): Promise<Record<string, string>> {
  return inProject(folder, (project) => addSessionTo(project, folder, session));
}

/** The same for an agent that reaches its server over HTTP. @returns its token */
export async function addTokenSession(folder: string, session: string): Promise<string> {
  return inProject(folder, async (project) => {
    const variables = await addSessionTo(project, folder, session);
    return (await makeToken(project.log, readModelPathIn(folder), { session, variables })).token;
  });
}

async function addSessionTo(
  project: Project,
  folder: string,
  session: string,
): Promise<Record<string, string>> {
  const [created] = await project.decide(createTask({ title: "Measured by the benches" }));
  const task = created?.type === "task.created" ? created.payload.task : 0;
  await project.decide(startSession({ task, session }));
  return sessionVariables(task, session, readModelPathIn(folder));
}

/** Adds that many tasks. */
export async function addTasks(folder: string, count: number): Promise<void> {
  await inProject(folder, async (project) => {
    for (let made = 0; made < count; made++) await project.decide(createTask({ title: `Task ${made}` }));
  });
}

async function inProject<Result>(
  folder: string,
  work: (project: Project) => Promise<Result>,
): Promise<Result> {
  const project = await openProject(folder);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

export function storeOf(folder: string): Promise<Store> {
  return openStore(readModelPathIn(folder), systemEnvironment());
}

/** A signal as an agent sends it; the number makes it one of its own. */
export function flagEvent(number: number): Draft<"signal.flag"> {
  return {
    type: "signal.flag",
    actor: "agent",
    correlation: "bench",
    payload: { ...flagArguments(number), task: 1, session: "bench" },
  };
}

export function flagArguments(number: number) {
  return {
    what: `\`save${number}()\` of the settings page drops the time zone, so that reminders come an hour late in summer.`,
    severity: "warning",
    category: "bug",
  } as const;
}

export function learnedArguments(number: number) {
  return {
    text: `Reminders of \`job${number}\` are kept in UTC and shown in the reader's time zone.`,
    kind: "discovery",
  } as const;
}
