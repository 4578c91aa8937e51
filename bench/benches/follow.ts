import { setTimeout as delay } from "node:timers/promises";
import type { Schedule, TimedAppend } from "../children/appender.ts";
import type { Bench } from "../lib/bench.ts";
import { Child, sharedClock_ms } from "../lib/child.ts";
import { below } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { formatTime } from "../lib/report.ts";

const EVERY_MS = 40;

export const follow: Bench = {
  name: "follow",
  async run({ scratch, quick }) {
    const for_ms = quick ? 4_000 : 24_000;
    const idle_ms = quick ? 6_000 : 30_000;
    const path = scratch.path("events.db");
    await newLog(path).close();
    const appender = await Child.start("appender", [path, "log"]);
    const follower = await Child.start("follower", [path]);
    await appender.ask("append", { start_ms: sharedClock_ms(), every_ms: EVERY_MS, for_ms: 1_000 });
    const schedule: Schedule = { start_ms: sharedClock_ms(), every_ms: EVERY_MS, for_ms };
    const appends = await appender.ask<TimedAppend[]>("append", schedule);
    // Longer than any follower looks about after a commit.
    await delay(2_000);
    const seen = new Map(await follower.ask<[number, number][]>("seen"));
    const idle = await idleShare(follower, idle_ms);
    await appender.end();
    await follower.end();
    const since = (time: (append: TimedAppend) => number) =>
      appends.map((append) => (seen.get(append.position) ?? Number.POSITIVE_INFINITY) - time(append));
    const sinceAnswer = since(({ answered_ms }) => answered_ms);
    const sinceCall = since(({ called_ms }) => called_ms);
    const row = (name: string, times: number[]) => [
      name,
      formatTime(median(times)),
      formatTime(quantile(times, 0.99)),
      formatTime(Math.max(...times)),
      String(times.length),
    ];
    return {
      title: "`follow` sees another process's append",
      how: `One process appends an event every ${EVERY_MS} ms, another follows the log; both read the clock that processes share. A time below zero: the event was seen before the append was answered. Then nobody appends for ${idle_ms / 1_000} s, and the CPU time of the following process, user and system, is taken.`,
      columns: ["", "median", "p99", "slowest", "events"],
      rows: [
        row("from the append's answer until it is seen", sinceAnswer),
        row("from the append's call until it is seen", sinceCall),
        row(
          "from the append's call to its answer",
          appends.map((one) => one.answered_ms - one.called_ms),
        ),
      ],
      goals: [
        below("median, from the append's answer", median(sinceAnswer), 2, formatTime),
        below("p99, from the append's answer", quantile(sinceAnswer, 0.99), 5, formatTime),
        below("CPU of an idle follower", idle, 0.005, (share) => `${(share * 100).toFixed(2)} %`),
      ],
    };
  },
};

/** The part of a CPU that a process uses while nothing is appended. */
async function idleShare(follower: Child, for_ms: number): Promise<number> {
  const [begin_ms, cpu_ms] = [sharedClock_ms(), await follower.ask<number>("cpu_ms")];
  await delay(for_ms);
  return ((await follower.ask<number>("cpu_ms")) - cpu_ms) / (sharedClock_ms() - begin_ms);
}
