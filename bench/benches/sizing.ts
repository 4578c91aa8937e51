import { readFileSync } from "node:fs";
import { parsePostgresUrl } from "../../adapters/postgres/url.ts";
import { BATCH_LIMIT, type EventLog } from "../../src/events/log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { findStandbyPrograms } from "../../test/support/postgres/programs.ts";
import type { Server } from "../../test/support/postgres/server.ts";
import type { Bench } from "../lib/bench.ts";
import { fineCpuOf } from "../lib/fine-cpu.ts";
import { type Fleet, withFleet } from "../lib/fleet.ts";
import { history, take } from "../lib/history.ts";
import { median } from "../lib/measure.ts";
import { formatCount, formatTime } from "../lib/report.ts";

/** What docs/fleet.md says of the size of a server. */
export const sizing: Bench = {
  name: "sizing",
  async run({ quick }) {
    const plan: Plan = quick
      ? { appends: 500, events: 2_000, looks: 200 }
      : { appends: 10_000, events: 100_000, looks: 2_000 };
    const title = "What a log on PostgreSQL needs";
    const columns = ["", "figure"];
    if (findStandbyPrograms() === undefined) {
      return { title, how: "Not run: install the package postgresql.", columns, rows: [] };
    }
    const rows = await withFleet(async (fleet) => [
      ...(await journalAndMemory(fleet, plan)),
      ...(await diskAndLooks(fleet, plan)),
    ]);
    const how = `A primary with two synchronous standbys (ANY 1) on this machine. ${formatCount(plan.appends)} events of a project's life for each figure of the journal, which counts from a checkpoint on. Disk by ${formatCount(plan.events)} events, of which 1,000,000 are a multiple. A connection's memory is what it does not share with others.`;
    return { title, how, columns, rows };
  },
};

interface Plan {
  readonly appends: number;
  /** Of the log whose size on the disk is measured. */
  readonly events: number;
  readonly looks: number;
}

const CALLERS = 64;
const BATCH = 500;

async function journalAndMemory(fleet: Fleet, { appends }: Plan): Promise<string[][]> {
  const { primary } = fleet.cluster;
  const url = await fleet.newLog();
  const drafts = history("growing");
  const callers = await Promise.all(Array.from({ length: CALLERS }, () => fleet.open(url)));
  const perEvent = async (append: (events: Draft[]) => Promise<unknown>) => {
    const events = take(drafts, appends);
    const bytes = await journalOf(primary, () => append(events));
    return `${formatCount(bytes / appends)} bytes`;
  };
  const singly = async (log: EventLog | undefined, events: Draft[]) => {
    for (const event of events) await log?.append([event]);
  };
  const journal = [
    ["journal for an event: one caller", await perEvent((events) => singly(callers[0], events))],
    [
      `journal for an event: ${CALLERS} callers at once`,
      await perEvent((events) =>
        Promise.all(
          callers.map((log, caller) =>
            singly(
              log,
              events.filter((_, i) => i % CALLERS === caller),
            ),
          ),
        ),
      ),
    ],
    [
      `journal for an event: batches of ${BATCH}`,
      await perEvent(async (events) => {
        for (let i = 0; i < events.length; i += BATCH) await callers[0]?.append(events.slice(i, i + BATCH));
      }),
    ],
  ];
  const memory = await memories(primary);
  return [
    ...journal,
    ["memory of a connection, median", megabytes(median(memory))],
    ["memory of a connection, largest", megabytes(Math.max(...memory))],
  ];
}

async function diskAndLooks(fleet: Fleet, { events, looks }: Plan): Promise<string[][]> {
  const { primary } = fleet.cluster;
  const url = await fleet.newLog();
  const log = await fleet.open(url);
  const drafts = history("growing");
  for (let made = 0; made < events; made += BATCH_LIMIT)
    await log.append(take(drafts, Math.min(BATCH_LIMIT, events - made)));
  const { schema } = parsePostgresUrl(url);
  const [size] = await primary.ask<{ table: string; indexes: string }>(
    "SELECT pg_table_size($1) AS table, pg_indexes_size($1) AS indexes",
    [`${schema}.events`],
  );
  const million = (bytes: string | undefined) => megabytes((Number(bytes) * 1_000_000) / events);
  const cpuOf = async (times: number, look: () => Promise<unknown>) => {
    const processes = await connectionsOf(primary);
    const before_ms = fineCpuOf(processes);
    for (let i = 0; i < times; i++) await look();
    return (fineCpuOf(processes) - before_ms) / times;
  };
  return [
    ["disk for 1,000,000 events: the table", million(size?.table)],
    ["disk for 1,000,000 events: its indexes", million(size?.indexes)],
    ["CPU of the server to find nothing new", formatTime(await cpuOf(looks, () => log.read(events, 1_000)))],
    [
      "CPU of the server to find one event",
      formatTime(await cpuOf(looks, () => log.read(events - 1, 1_000))),
    ],
    [
      "CPU of the server for an event in pages of 1,000",
      formatTime((await cpuOf(looks / 20, () => log.read(0, 1_000))) / 1_000),
    ],
  ];
}

/** How many bytes of journal the server writes while something is done, from a checkpoint on. */
async function journalOf(server: Server, act: () => Promise<unknown>): Promise<number> {
  await server.ask("CHECKPOINT");
  const [before] = await server.ask<{ at: string }>("SELECT pg_current_wal_insert_lsn() AS at");
  await act();
  const [after] = await server.ask<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes",
    [before?.at],
  );
  return Number(after?.bytes);
}

/** What each connection has in memory that no other process has, in bytes. */
async function memories(server: Server): Promise<number[]> {
  return (await connectionsOf(server)).map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return [...text.matchAll(/^Private_\w+: +(\d+) kB/gm)].reduce(
      (sum, [, kB]) => sum + Number(kB) * 1024,
      0,
    );
  });
}

/** The processes of the server that work for programs. */
async function connectionsOf(server: Server): Promise<number[]> {
  const rows = await server.ask<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'signalbox'",
  );
  return rows.map(({ pid }) => pid);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toPrecision(3)} MB`;
}
