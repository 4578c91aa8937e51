import Database from "better-sqlite3";
import { readModelPathIn } from "../../src/api/project.ts";
import { closeStore } from "../../src/decisions/store.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { readTree } from "../../src/history/audit/tree.ts";
import { verifyLog } from "../../src/history/audit/verify-log.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { atMost } from "../lib/goals.ts";
import { type Contestant, median, race } from "../lib/measure.ts";
import { fillProject, storeOf } from "../lib/project.ts";
import { formatCount, formatRatio, TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const PAGE = 1_000;
/** The contestants of one log, the reading first. */
const SIDES = 4;

export const verify: Bench = {
  name: "verify",
  async run(context) {
    const turns = context.quick ? 1 : 5;
    const sides: Side[] = [];
    for (const count of context.events) sides.push(await open(context, count));
    for (const { run } of sides[0]?.contestants ?? []) await run();
    const times = await race({ rounds: 1, turns, warmUp: 0 }, async () => ({
      contestants: sides.flatMap(({ contestants }) => contestants),
    }));
    for (const side of sides) await side.close();
    const measured = context.events.map((count, index) => ({
      count,
      times: times.slice(index * SIDES, (index + 1) * SIDES),
    }));
    return {
      title: "Verifying a log",
      how: `Beside reading all events in pages of ${formatCount(PAGE)}: their columns alone, and by EventLog.read, which compares leaf hashes too; in the same process, by turns, ${turns} times each after a warm-up on the shortest. "Per second" counts events.`,
      columns: TIMES_COLUMNS,
      rows: measured.flatMap(({ count, times }) => timesRows(times, count)),
      goals: measured.map(({ count, times: [, reading, verifying] }) =>
        atMost(
          `verify / EventLog.read, ${formatCount(count)} events`,
          median(verifying?.rounds.flat() ?? []) / median(reading?.rounds.flat() ?? []),
          2,
          formatRatio,
        ),
      ),
    };
  },
};

interface Side {
  readonly contestants: readonly Contestant[];
  close(): Promise<void>;
}

async function open({ scratch }: Context, count: number): Promise<Side> {
  const folder = await fillProject(scratch, count);
  const path = logPathBeside(readModelPathIn(folder));
  const store = await storeOf(folder);
  const bare = new Database(path, { readonly: true });
  const label = formatCount(count);
  return {
    contestants: [
      { name: `reading the rows of ${label} events`, run: () => readRows(bare) },
      {
        name: `EventLog.read of ${label}`,
        async run() {
          let after = 0;
          for (let read = 1; read > 0; after += read) read = (await store.log.read(after, PAGE)).length;
          if (after !== count) throw new Error(`The log has ${after} events, not ${count}.`);
        },
      },
      {
        name: `verify of ${label}`,
        async run() {
          const { events, damage } = await verifyLog(store.log);
          if (damage || events !== count) throw new Error(`${events} events: ${damage?.what}`);
        },
      },
      { name: `tree head of ${label}`, run: () => readTree(store.log) },
    ],
    async close() {
      bare.close();
      await closeStore(store);
    },
  };
}

function readRows(database: Database.Database): void {
  const page = database.prepare<[number, number], { position: number }>(
    "SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?",
  );
  for (let after = 0; ; ) {
    const last = page.all(after, PAGE).at(-1);
    if (!last) return;
    after = last.position;
  }
}
