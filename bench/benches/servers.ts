import { setTimeout as delay } from "node:timers/promises";
import { initProject } from "../../src/api/project.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { Child, sharedClock_ms } from "../lib/child.ts";
import { fineCpuOf } from "../lib/fine-cpu.ts";
import { atLeast, atMost, below, type Goal } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { addSession, flagArguments } from "../lib/project.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import { openServer, type RunningServer, signalboxMcp } from "../lib/server.ts";

/** Servers that report as fast as they can, and as many bare processes beside them. */
const FAST = 8;
/** Servers that report once a second. */
const PACED = 50;
/** Calls to each server before it is measured, and then: the same whatever their number, since a server gets faster. */
const WARM_UP = 100;
const CALLS = 50;
/** Events of one server, beside which the others are idle. */
const EVENTS = 500;
/** What goes on behind an answer is over by then. */
const SETTLED_MS = 1_500;

/** What many agents on one project cost: each has a server of its own. */
export const servers: Bench = {
  name: "servers",
  async run(context) {
    const rows: string[][] = [];
    const goals: Goal[] = [];
    const costs: Cost[] = [];
    for (const count of context.servers) costs.push(await costOfCalls(context, count));
    for (const { count, call_ms, other_ms } of costs) {
      rows.push([
        count === 1 ? "1 server" : `${count} servers, calls to each in turn`,
        "CPU a call, all servers",
        formatTime(call_ms),
      ]);
      if (count === 1) continue;
      rows.push(["", "CPU of an idle server for an event of another", formatTime(other_ms)]);
      goals.push(atMost(`CPU of an idle server for an event, ${count} servers`, other_ms, 0.05, formatTime));
    }
    const [least, most] = [costs.at(0), costs.at(-1)];
    if (least && most && least !== most) {
      const ratio = most.call_ms / least.call_ms;
      goals.push(atMost(`CPU a call, ${most.count} servers beside ${least.count}`, ratio, 1.5, formatRatio));
    }
    const { bare, calls } = await fast(context);
    rows.push([`${FAST} processes, bare inserts as fast as they can`, "a second", formatCount(bare)]);
    rows.push([`${FAST} servers, calls as fast as they can`, "a second", formatCount(calls)]);
    goals.push(atLeast(`calls of ${FAST} servers beside bare inserts`, calls / bare, 0.6, formatRatio));
    const times = await paced(context);
    rows.push([`${PACED} servers, a call every second each`, "p50", formatTime(median(times))]);
    rows.push(["", "p99", formatTime(quantile(times, 0.99))]);
    rows.push(["", "slowest", formatTime(Math.max(...times))]);
    goals.push(below(`p99 of ${PACED} servers`, quantile(times, 0.99), 100, formatTime));
    return {
      title: "Many servers on one project",
      how: `Each with a session of its own; \`flag\` is called, ${CALLS} times of each after ${WARM_UP} to warm up. CPU is that of whole process trees, until ${SETTLED_MS} ms after the last answer; of idle servers that of the median one. The paced servers run for ${context.seconds} s; their calls are spread over the second.`,
      columns: ["what", "figure", ""],
      rows,
      goals,
    };
  },
};

interface Cost {
  readonly count: number;
  readonly call_ms: number;
  readonly other_ms: number;
}

async function costOfCalls(context: Context, count: number): Promise<Cost> {
  const { running, close } = await open(context, count);
  const ofAll = await cpuFor(running, CALLS * count, (number) => flag(running[number % count], number));
  const ofEach = await cpuFor(running, EVENTS, (number) => flag(running[0], number));
  await close();
  const call_ms = ofAll.reduce((sum, ofServer) => sum + ofServer, 0);
  return { count, call_ms, other_ms: median(ofEach.slice(1)) };
}

/** CPU that a call costs each of some servers, whether it is called or not, in milliseconds. */
async function cpuFor(
  running: readonly RunningServer[],
  calls: number,
  call: (number: number) => Promise<void>,
): Promise<number[]> {
  const before = running.map(({ pid }) => fineCpuOf([pid]));
  for (let number = 0; number < calls; number++) await call(number);
  await delay(SETTLED_MS);
  return running.map(({ pid }, index) => (fineCpuOf([pid]) - (before[index] ?? 0)) / calls);
}

/** How many a second. */
async function fast(context: Context): Promise<{ bare: number; calls: number }> {
  const rounds = context.quick ? 1 : 3;
  const for_ms = context.quick ? 2_000 : 5_000;
  const path = context.scratch.path("bare.db");
  const children = await Promise.all(
    Array.from({ length: FAST }, () => Child.start("appender", [path, "bare"])),
  );
  const { running, close } = await open(context, FAST);
  let bare = 0;
  let calls = 0;
  for (let round = 0; round < rounds; round++) {
    const end_ms = sharedClock_ms() + for_ms;
    const inserted = await Promise.all(children.map((child) => child.ask<number>("appendUntil", end_ms)));
    bare += inserted.reduce((sum, count) => sum + count, 0);
    const until_ms = sharedClock_ms() + for_ms;
    const answered = await Promise.all(
      running.map(async (server) => {
        let count = 0;
        for (; sharedClock_ms() < until_ms; count++) await flag(server, count);
        return count;
      }),
    );
    calls += answered.reduce((sum, count) => sum + count, 0);
    await delay(SETTLED_MS);
  }
  for (const child of children) await child.end();
  await close();
  const seconds = (rounds * for_ms) / 1_000;
  return { bare: bare / seconds, calls: calls / seconds };
}

/** How long each call took, in milliseconds. */
async function paced(context: Context): Promise<number[]> {
  const { running, close } = await open(context, PACED);
  const start_ms = performance.now() + 100;
  const times = await Promise.all(
    running.map(async (server, index) => {
      const ofServer: number[] = [];
      let due_ms = start_ms + (index * 1_000) / PACED;
      for (let number = 0; number < context.seconds; number++, due_ms += 1_000) {
        await delay(Math.max(0, due_ms - performance.now()));
        const called_ms = performance.now();
        await flag(server, number);
        ofServer.push(performance.now() - called_ms);
      }
      return ofServer;
    }),
  );
  await close();
  return times.flat();
}

async function flag(server: RunningServer | undefined, number: number): Promise<void> {
  await server?.call({ name: "flag", arguments: flagArguments(number) });
}

async function open({ scratch }: Context, count: number) {
  const folder = scratch.path("project");
  await initProject(folder);
  const running: RunningServer[] = [];
  for (let number = 1; number <= count; number++) {
    const server = await openServer(signalboxMcp(await addSession(folder, `bench-${number}`)));
    running.push(server);
  }
  for (const server of running) {
    for (let number = 0; number < WARM_UP; number++) await flag(server, number);
  }
  await delay(SETTLED_MS);
  return {
    running,
    async close() {
      await Promise.all(running.map((server) => server.close()));
    },
  };
}
