import { join } from "node:path";
import type { EventLog } from "../../../../src/events/log.ts";
import type { ReadModel } from "../../../../src/projections/read-model.ts";
import { type History, openHistory } from "../../../../src/replay/time-travel/history/history.ts";
import { freshFolder } from "../../../support/project.ts";

/** The history of a log, in the folder of a project that has nothing else. */
export function historyOf(log: EventLog, folder = freshFolder()): History {
  // Of a store it takes the log, and where the read model lies.
  const name = join(folder, ".ralph", "db", "ralph.db");
  return openHistory({ log, readModel: { database: { name } } as ReadModel });
}

/** Makes it to the head of its log. */
export async function madeWhole(history: History, max_events = 1_000): Promise<void> {
  for (;;) {
    const { position, head } = await history.advance({ max_ms: 1_000, max_events });
    if (position === head) return;
  }
}
