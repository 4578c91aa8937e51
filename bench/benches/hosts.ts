import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { postmasterOf } from "../../test/support/postgres/processes.ts";
import { findStandbyPrograms } from "../../test/support/postgres/programs.ts";
import type { Work, Worked } from "../children/fleet-host.ts";
import type { Bench } from "../lib/bench.ts";
import { Child } from "../lib/child.ts";
import { fineCpuOf } from "../lib/fine-cpu.ts";
import { createTasks, type Fleet, withChildren, withFleet } from "../lib/fleet.ts";
import { atMost } from "../lib/goals.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import type { Scratch } from "../lib/scratch.ts";

const AGENTS = 2;

export const hosts: Bench = {
  name: "hosts",
  async run({ scratch, quick, seconds }) {
    const most = quick ? 5 : 50;
    const title = `${most} hosts on one log`;
    const columns = [
      "",
      "calls",
      "claims",
      "tries of a claim",
      "CPU of a call",
      "of the database",
      "to reduce an event",
    ];
    if (findStandbyPrograms() === undefined) {
      return { title, how: "Not run: install the package postgresql.", columns, rows: [] };
    }
    const [alone, together] = await withFleet(async (fleet) => [
      await work(fleet, scratch, 1, seconds),
      await work(fleet, scratch, most, seconds),
    ]);
    const row = (count: number, found: Found) => [
      count === 1 ? "1 host" : `${count} hosts`,
      formatCount(found.calls),
      formatCount(found.claims),
      formatRatio(found.tries),
      formatTime(found.call_ms),
      formatTime(found.database_ms),
      formatTime(found.reduce_ms),
    ];
    return {
      title,
      how: `Each host is a process with a read model in a folder of its own and ${AGENTS} agents, each of which makes a call every second for ${seconds} s: one in ten claims a task, the others report. Two synchronous standbys, whose CPU is not counted. A host catches up before each call; "to reduce an event" is the CPU of that for each event, in which one host alone has few.`,
      columns,
      rows: [row(1, alone), row(most, together)],
      goals: [
        atMost("tasks claimed twice", together.twice, 0, String),
        atMost(`CPU of a call, ${most} hosts / 1`, together.call_ms / alone.call_ms, 2, formatRatio),
        atMost(
          `CPU of the database for a call, ${most} hosts / 1`,
          together.database_ms / alone.database_ms,
          2,
          formatRatio,
        ),
        atMost(
          `CPU to reduce an event, ${most} hosts / 1`,
          together.reduce_ms / alone.reduce_ms,
          1.2,
          formatRatio,
        ),
      ],
    };
  },
};

interface Found {
  readonly calls: number;
  readonly claims: number;
  readonly twice: number;
  readonly tries: number;
  readonly call_ms: number;
  readonly database_ms: number;
  readonly reduce_ms: number;
}

async function work(fleet: Fleet, scratch: Scratch, count: number, seconds: number): Promise<Found> {
  const url = await fleet.newLog();
  const tasks = Math.ceil((count * AGENTS * seconds) / 5) + 10;
  await createTasks(await fleet.open(url), tasks);
  const starting = Array.from({ length: count }, (_, host) => {
    const folder = scratch.path(`host-${host}`);
    mkdirSync(folder);
    return Child.start("fleet-host", [url, String(host), join(folder, "ralph.db")]);
  });
  return withChildren(starting, async (children) => {
    const postmaster = postmasterOf(fleet.cluster.primary.data);
    const before_ms = fineCpuOf([postmaster]);
    const load: Work = { agents: AGENTS, tasks, for_ms: seconds * 1_000 };
    const all = await Promise.all(children.map((child) => child.ask<Worked>("work", load)));
    const database_ms = fineCpuOf([postmaster]) - before_ms;
    const sum = (of: (worked: Worked) => number) => all.reduce((total, one) => total + of(one), 0);
    const [calls, claimed] = [sum((one) => one.calls), all.flatMap(({ claims }) => claims)];
    return {
      calls,
      claims: claimed.length,
      twice: claimed.length - new Set(claimed).size,
      tries: sum((one) => one.tries) / claimed.length,
      call_ms: sum((one) => one.call_ms) / calls,
      database_ms: database_ms / calls,
      reduce_ms:
        sum((one) => one.reduce_ms) /
        Math.max(
          1,
          sum((one) => one.events),
        ),
    };
  });
}
