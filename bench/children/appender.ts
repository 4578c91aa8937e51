// Appends one event at a time to a log that other processes append to as well: `appender PATH log|bare`.
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { openBareTable } from "../lib/bare.ts";
import { serve, sharedClock_ms } from "../lib/child.ts";
import { flagEvent } from "../lib/project.ts";

export interface Schedule {
  /** When the first append is due, on the shared clock. */
  readonly start_ms: number;
  readonly every_ms: number;
  readonly for_ms: number;
}

export interface TimedAppend {
  readonly called_ms: number;
  readonly answered_ms: number;
  /** 0 for a bare table. */
  readonly position: number;
}

const [path = "", kind] = process.argv.slice(2);
const { append, close } = kind === "log" ? openLog() : openTable();

serve({ append: appendOnSchedule, appendUntil }, close);

/** Appends as fast as it can until a time on the shared clock, and returns how many it were. */
async function appendUntil(end_ms: number): Promise<number> {
  let count = 0;
  for (; sharedClock_ms() < end_ms; count++) {
    await append();
    await nextTurn();
  }
  return count;
}

/** Appends whenever one is due; what came due while an append was under way is left out. */
async function appendOnSchedule({ start_ms, every_ms, for_ms }: Schedule): Promise<TimedAppend[]> {
  const times: TimedAppend[] = [];
  for (let due_ms = start_ms; due_ms < start_ms + for_ms; ) {
    await delay(Math.max(0, due_ms - sharedClock_ms()));
    const called_ms = sharedClock_ms();
    const position = await append();
    times.push({ called_ms, answered_ms: sharedClock_ms(), position });
    do due_ms += every_ms;
    while (due_ms <= sharedClock_ms());
  }
  return times;
}

function openLog() {
  const log = openSqliteLog(path, systemEnvironment());
  let number = 0;
  return {
    async append() {
      const { events } = await log.append([flagEvent(++number)]);
      return events[0]?.position ?? 0;
    },
    close: () => log.close(),
  };
}

function openTable() {
  const table = openBareTable(path);
  let number = 0;
  return {
    async append() {
      table.insert(JSON.stringify(flagEvent(++number).payload));
      return 0;
    },
    close: table.close,
  };
}
