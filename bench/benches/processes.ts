import type { Schedule, TimedAppend } from "../children/appender.ts";
import type { Bench } from "../lib/bench.ts";
import { Child, sharedClock_ms } from "../lib/child.ts";
import { atLeast, below } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";

const PROCESSES = 8;
const EVERY_MS = 25;
const KINDS = ["bare", "log"] as const;

export const processes: Bench = {
  name: "processes",
  async run({ scratch, quick }) {
    const rounds = quick ? 1 : 3;
    const for_ms = quick ? 3_000 : 10_000;
    const times: Record<(typeof KINDS)[number], number[][]> = { bare: [], log: [] };
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
        const ofRound = await appendTogether(scratch, kind, for_ms);
        ofRound.forEach((list, index) => {
          times[kind][index] = [...(times[kind][index] ?? []), ...list];
        });
      }
    }
    const due = rounds * Math.ceil(for_ms / EVERY_MS);
    return {
      title: `${PROCESSES} processes, an append every ${EVERY_MS} ms each`,
      how: `Each process appends one event whenever ${EVERY_MS} ms have passed, on a schedule that is shifted against the others'; what comes due while an append is under way is left out. ${rounds} rounds of ${for_ms / 1_000} s by turns with the same on a bare table, where SQLite waits for its lock by itself. Of ${due} appends that were due in each process, the columns show the process that did the fewest and the one that did the most.`,
      columns: ["", "median", "p99", "slowest append", "fewest", "most", "fewest / most", "appends"],
      rows: [row("bare insert, busy timeout 30 s", times.bare), row("EventLog.append", times.log)],
      goals: [
        below("p99 of an append", quantile(times.log.flat(), 0.99), 6, formatTime),
        atLeast("appends of the slowest / of the fastest process", fairness(times.log), 0.8, formatRatio),
      ],
    };
  },
};

/** The times of the appends of each process. */
async function appendTogether(
  scratch: Scratch,
  kind: (typeof KINDS)[number],
  for_ms: number,
): Promise<number[][]> {
  const path = scratch.path(`${kind}.db`);
  if (kind === "log") await newLog(path).close();
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, () => Child.start("appender", [path, kind])),
  );
  // A first append of each opens files and warms up.
  for (const child of children) await child.ask("append", schedule(sharedClock_ms(), 1));
  const start_ms = sharedClock_ms() + 100;
  const appends = await Promise.all(
    children.map((child, index) =>
      child.ask<TimedAppend[]>("append", schedule(start_ms + (index * EVERY_MS) / PROCESSES, for_ms)),
    ),
  );
  for (const child of children) await child.end();
  return appends.map((list) => list.map(({ called_ms, answered_ms }) => answered_ms - called_ms));
}

function schedule(start_ms: number, for_ms: number): Schedule {
  return { start_ms, every_ms: EVERY_MS, for_ms };
}

function row(name: string, times: readonly (readonly number[])[]): string[] {
  const all = times.flat();
  const counts = times.map(({ length }) => length);
  return [
    name,
    formatTime(median(all)),
    formatTime(quantile(all, 0.99)),
    formatTime(Math.max(...all)),
    formatCount(Math.min(...counts)),
    formatCount(Math.max(...counts)),
    formatRatio(fairness(times)),
    formatCount(all.length),
  ];
}

function fairness(times: readonly (readonly number[])[]): number {
  const counts = times.map(({ length }) => length);
  return Math.min(...counts) / Math.max(...counts);
}
