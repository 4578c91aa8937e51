import Database from "better-sqlite3";
import { closeStore, logPathBeside } from "../../src/decisions/store.ts";
import { readModelPathIn } from "../../src/project.ts";
import { rebuild as rebuildAll } from "../../src/projections/rebuild.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { mean, race, type Times } from "../lib/measure.ts";
import { fillProject, storeOf } from "../lib/project.ts";
import { formatRatio, type Section, TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const PAGE = 1_000;

export const rebuild: Bench = {
  name: "rebuild",
  async run(context) {
    const plan = { rounds: 1, turns: context.quick ? 2 : 5, warmUp: 1 };
    const rows: string[][] = [];
    const rates: number[] = [];
    for (const count of context.events) {
      const times = await rebuildLog(context, count, plan);
      rows.push(...timesRows(times, count));
      rates.push((count * 1_000) / mean(times[2]?.rounds.flat() ?? []));
    }
    return { ...describe(context, plan.turns, rates), columns: TIMES_COLUMNS, rows };
  },
};

async function rebuildLog(
  { scratch }: Context,
  count: number,
  plan: { rounds: number; turns: number; warmUp: number },
): Promise<Times[]> {
  const folder = await fillProject(scratch, count);
  const store = storeOf(folder);
  const bare = new Database(logPathBeside(readModelPathIn(folder)), { readonly: true });
  const label = count.toLocaleString("en-US");
  const times = await race(plan, async () => ({
    contestants: [
      { name: `reading and parsing ${label} events`, run: () => readAndParse(bare) },
      {
        name: `EventLog.read of ${label}`,
        async run() {
          for (let after = 0; after < count; ) after += (await store.log.read(after, PAGE)).length;
        },
      },
      { name: `rebuild of ${label}`, run: () => rebuildAll(store.readModel, store.log) },
    ],
  }));
  const stopped = store.readModel.checkpoints.list().filter(({ state }) => state === "stopped");
  if (stopped.length > 0) throw new Error(`A projection stopped: ${stopped[0]?.error}`);
  bare.close();
  await closeStore(store);
  return times;
}

/** What a rebuild reads of an event, without making anything of it. */
function readAndParse(database: Database.Database): void {
  const page = database.prepare<[number, number], { position: number; payload: string }>(
    `SELECT position, id, stream, stream_version, type, schema_version, payload, recorded_at, actor, causation,
       correlation, leaf_hash FROM events WHERE position > ? ORDER BY position LIMIT ?`,
  );
  for (let after = 0; ; ) {
    const rows = page.all(after, PAGE);
    for (const row of rows) JSON.parse(row.payload);
    const last = rows.at(-1);
    if (!last) return;
    after = last.position;
  }
}

function describe(
  { events }: Context,
  turns: number,
  rates: readonly number[],
): Pick<Section, "title" | "how"> {
  const [short, long] = [rates[0] ?? 0, rates.at(-1) ?? 0];
  const growth =
    events.length > 1
      ? ` Events per second at the longest beside the shortest: ${formatRatio(long / short)}.`
      : "";
  return {
    title: "A rebuild of the whole read model",
    how: `Beside reading the same columns in pages of ${PAGE.toLocaleString("en-US")} and parsing the payloads, in the same process by turns, ${turns} times after one to warm up. "Per second" counts events.${growth}`,
  };
}
