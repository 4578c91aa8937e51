import type { EventLog } from "../../events/log.ts";
import type { Event } from "../../events/types/index.ts";

/** The positions from one to another, both included. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
}

export type LogOrder = "oldest_first" | "newest_first";

/** Events of a range, in log order or newest first, with one page in memory at a time. */
export async function* readLog(
  log: EventLog,
  { from, to }: LogRange,
  order: LogOrder = "oldest_first",
): AsyncGenerator<readonly Event[]> {
  const last = Math.min(to, await log.head());
  if (order === "oldest_first") {
    for (let next = from; next <= last; next += PAGE) {
      yield await log.read(next - 1, Math.min(PAGE, last - next + 1));
    }
  } else {
    for (let next = last; next >= from; next -= PAGE) {
      const after = Math.max(from - 1, next - PAGE);
      yield (await log.read(after, next - after)).toReversed();
    }
  }
}

/** The events at some ascending positions, read the same way. */
export async function* readPositions(
  log: EventLog,
  positions: readonly number[],
  order: LogOrder = "oldest_first",
): AsyncGenerator<readonly Event[]> {
  const ordered = order === "oldest_first" ? positions : positions.toReversed();
  for (let start = 0; start < ordered.length; start += PAGE) {
    const page: Event[] = [];
    for (const position of ordered.slice(start, start + PAGE))
      page.push(...(await log.read(position - 1, 1)));
    yield page;
  }
}

const PAGE = 1_000;
