import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog } from "../../../../src/events/log.ts";
import { type History, openHistory } from "../../../../src/replay/time-travel/history/history.ts";
import { emptyPlace, logOf, someEvents } from "../given.ts";

/** The history of a log, in the folder of a project that has nothing else. */
export function historyOf(log: EventLog, readModelPath = emptyPlace().path): History {
  return openHistory(log, readModelPath);
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

export function hashIn(history: History, position: number): string {
  return history.asOf(position, (readModel) => readModel.contentHash());
}
