import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../../src/api/project.ts";
import { decide } from "../../../src/decisions/decide.ts";
import { REPLAY_VARIABLE, replayEnvironment } from "../../../src/decisions/system-environment.ts";
import type { Event } from "../../../src/events/types/index.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { signalboxJson } from "../../support/cli.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshFolder } from "../../support/project.ts";
import type { Row } from "./row.ts";

/** 2026-01-01T00:00:00Z, in microseconds. */
const NOW = 1_767_225_600_000_000;

/** What was answered or printed, and the events that it appended. */
export interface Done {
  readonly said: unknown;
  readonly events: readonly unknown[];
}

/** Calls a tool in a project of its own. @throws if the call was refused */
export async function byTool(
  row: Given,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Done> {
  const folder = await givenProject(row);
  const project = await openFor(folder, "act");
  const head = await project.log.head();
  const agent = await connectWith(
    project.store,
    { recipe: "all", session_id: "s-1", task_id: 7 },
    { readModelPath: readModelPathIn(folder) },
  );
  const { isError, text, structured } = await callTool(agent, name, args);
  if (isError) throw new Error(`${name} was refused: ${text}`);
  return { said: structured, events: await appended(project, head) };
}

/** Runs a command in a project of its own, with the same time and ids. @throws if it failed */
export async function byCommand(row: Given & Pick<Row, "command">): Promise<Done> {
  const folder = await givenProject(row);
  const project = await openFor(folder, "look");
  const head = await project.log.head();
  const replay = join(folder, "replay");
  writeFileSync(replay, `act\n${NOW}\n`);
  const said = await signalboxJson(row.command, { cwd: folder, env: { [REPLAY_VARIABLE]: replay } });
  return { said, events: await appended(project, head) };
}

type Given = Pick<Row, "given" | "by">;

async function givenProject({ given = [], by }: Given): Promise<string> {
  // The same name each time, since answers may name it.
  const folder = join(freshFolder(), "project");
  mkdirSync(folder);
  await initProject(folder, { environment: replayEnvironment("init", () => NOW) });
  const project = await openProject(folder, { environment: replayEnvironment("given", () => NOW) });
  for (const id of TASKS) await project.decide(createTask({ title: `Task ${id}` }));
  for (const decision of given) await decide(project.store, decision, { actor: by ?? "human" });
  await project.close();
  return folder;
}

const TASKS = [1, 2, 3, 4, 5, 6, 7];

async function openFor(folder: string, seed: string): Promise<Project> {
  const project = await openProject(folder, { environment: replayEnvironment(seed, () => NOW) });
  onTestFinished(() => project.close());
  return project;
}

/** Types and payloads of the events after a position; ids that somebody made up are the same in all. */
async function appended({ log }: Project, head: number): Promise<unknown[]> {
  const events = await log.read(head, 100);
  return events.map(({ type, payload }: Event) => ({ type, payload: withoutIds(payload) }));
}

/** Nor does it matter which process ran a gate, and for how long. */
function withoutIds(payload: unknown): unknown {
  return JSON.parse(
    JSON.stringify(payload)
      .replaceAll(UUID, "…")
      .replace(/"pid":\d+,"began":"[^"]*"/, '"pid":1')
      .replace(/"duration_ms":\d+/, '"duration_ms":1'),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
