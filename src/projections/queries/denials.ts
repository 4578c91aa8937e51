import { agentsTable } from "../agents.ts";
import { boardTables } from "../board/tables.ts";
import type { ReadModel } from "../read-model.ts";

/** A tool that the client of an agent did not let it use, and how often. */
export interface Denial {
  readonly tool: string;
  readonly times: number;
}

/** What was denied in some sessions, added up. */
export function denialsIn(readModel: ReadModel, sessions: readonly string[]): Denial[] {
  const { agents } = readModel.rowsOf({ agents: agentsTable });
  const times = new Map<string, number>();
  for (const session of sessions)
    for (const denial of parseDenials(agents.get(session)?.denied))
      times.set(denial.tool, (times.get(denial.tool) ?? 0) + denial.times);
  return [...times].map(([tool, times]) => ({ tool, times }));
}

/** What was denied in the last sessions of a task, added up. */
export function denialsOfTask(readModel: ReadModel, task: number, lastSessions: number): Denial[] {
  const sessions = readModel
    .rowsOf(boardTables)
    .sessions.where({ task_id: task })
    .sort((a, b) => b.started_position - a.started_position)
    .slice(0, lastSessions)
    .map(({ id }) => id);
  return denialsIn(readModel, sessions);
}

/** The column `denied` of the table `agents`. */
export function parseDenials(denied = "[]"): Denial[] {
  return JSON.parse(denied);
}
