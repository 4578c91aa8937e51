import { setImmediate as nextTurn } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { systemEnvironment } from "../../../../src/decisions/system-environment.ts";
import type { EventLog } from "../../../../src/events/log.ts";
import { logPathBeside } from "../../../../src/events/log-location.ts";
import { createLogFile } from "../../../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../../../src/events/sqlite-log.ts";
import { type History, openHistory } from "../../../../src/history/time-travel/history/history.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";

/** The history of a log, in the folder of a project that has nothing else. */
export function historyOf(log: EventLog, readModelPath = emptyPlace().path): History {
  return openHistory(log, readModelPath);
}

/** A project's folder with a log of some length in its file. */
export async function givenLogFile() {
  const { path } = emptyPlace();
  const logPath = logPathBeside(path);
  createLogFile(logPath);
  const log = openSqliteLog(logPath, systemEnvironment());
  onTestFinished(() => log.close());
  await log.append((await someEvents()).map(({ position: _, ...event }) => event));
  return { path, logPath, log, events: await log.read(0, 10_000) };
}

/** A log with the history of all of it, in the folder of a project that has nothing else. */
export async function madeHistory() {
  const events = await someEvents();
  const log = await logOf(events);
  const { path } = emptyPlace();
  const history = historyOf(log, path);
  await makeWhole(history);
  history.close();
  return { events, log, path };
}

/** Makes it to the head of its log. */
export async function makeWhole(history: History, max_events = 1_000): Promise<void> {
  for (;;) {
    const { position, head } = await history.advance({ max_ms: 1_000, max_events });
    if (position === head) return;
    await nextTurn();
  }
}

/** Makes what a project's folder has of the history of its log up to an event, and not further. */
export async function makeUpTo(log: EventLog, readModelPath: string, position: number): Promise<void> {
  const history = historyOf(log, readModelPath);
  while (history.head < position) await history.advance({ max_events: position - history.head });
  history.close();
}

export function hashIn(history: History, position: number): string {
  return history.asOf(position, (readModel) => readModel.contentHash());
}
