import { findDiscipline } from "../../queries/catalogue.ts";
import { featureDetails } from "../../queries/feature-details.ts";
import { sessionDetails } from "../../queries/session-details.ts";
import { taskDetails } from "../../queries/tasks.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** Long lists show their last entries; `left_out` counts the others. */
const SHOWN = 100;

/** Like `signalbox task show ID --json`, with long lists cut. */
export function showTask(readModel: ReadModel, key: string): object | undefined {
  const task = /^[1-9]\d{0,9}$/.test(key) ? taskDetails(readModel, Number(key)) : undefined;
  if (!task) return undefined;
  const { dependents, status_changes, timeline, repetitions } = task;
  return { ...task, ...lastOf({ dependents, status_changes, timeline, repetitions }) };
}

export function showFeature(readModel: ReadModel, name: string): object | undefined {
  const feature = featureDetails(readModel, name);
  return feature && { ...feature, ...lastOf({ learnings: feature.learnings }) };
}

/** Only the names of its MCP servers: their commands may contain secrets for its own agents. */
export function showDiscipline(readModel: ReadModel, name: string): object | undefined {
  const discipline = findDiscipline(readModel, name);
  return discipline && { ...discipline, mcp_servers: Object.keys(discipline.mcp_servers) };
}

export function showSession(readModel: ReadModel, id: string): object | undefined {
  const session = sessionDetails(readModel, id);
  if (!session) return undefined;
  const { state_history, timeline } = session;
  return { ...session, ...lastOf({ state_history, timeline }) };
}

function lastOf(lists: Readonly<Record<string, readonly unknown[]>>): object {
  const entries = Object.entries(lists);
  return {
    ...Object.fromEntries(entries.map(([name, list]) => [name, list.slice(-SHOWN)])),
    left_out: Object.fromEntries(entries.map(([name, list]) => [name, Math.max(0, list.length - SHOWN)])),
  };
}
