import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { History, Progress, Turn } from "./history.ts";

/**
 * Builds a history in turns up to the head of its log, or until the caller stops iterating. Other
 * work on this thread runs between two turns.
 *
 * @yields the progress after each turn
 */
export async function* makeToHead(history: History, turn?: Turn): AsyncGenerator<Progress> {
  for (let before = -1; ; ) {
    const progress = await history.advance(turn);
    const { position, head } = progress;
    // Another process may be building it; give it time.
    if (position < head) await (position === before ? pause(BUSY_MS) : nextTurn());
    yield progress;
    if (position === head) return;
    before = position;
  }
}

const BUSY_MS = 50;
