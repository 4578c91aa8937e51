import Database from "better-sqlite3";
import { readModelPathIn } from "../../src/api/project.ts";
import { closeStore, type Store } from "../../src/decisions/store.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { rebuild as rebuildAll } from "../../src/read-model/rebuild.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { atLeast, atMost, type Goal } from "../lib/goals.ts";
import { type Contestant, median, race, type Times } from "../lib/measure.ts";
import { fillProject, storeOf } from "../lib/project.ts";
import { formatCount, formatRatio, TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const PAGE = 1_000;

export const rebuild: Bench = {
  name: "rebuild",
  async run(context) {
    const plan = { rounds: 1, turns: context.quick ? 1 : 3, warmUp: 0 };
    const sides: Side[] = [];
    for (const count of context.events) sides.push(await open(context, count));
    // The shortest log warms up the code for all of them.
    for (const { run } of sides[0]?.contestants ?? []) await run();
    const times = await race(plan, async () => ({
      contestants: sides.flatMap(({ contestants }) => contestants),
    }));
    for (const side of sides) await side.close();
    const measured = context.events.map((count, index) => ({
      count,
      times: times.slice(index * 3, index * 3 + 3),
    }));
    return {
      title: "A rebuild of the whole read model",
      how: `Beside reading the same columns in pages of ${formatCount(PAGE)} and parsing the payloads; in the same process, logs of every length by turns, ${plan.turns} times each after a warm-up on the shortest. Tasks are created all along each log, and sessions work on tasks from anywhere before. "Per second" counts events.`,
      columns: TIMES_COLUMNS,
      rows: measured.flatMap(({ count, times }) => timesRows(times, count)),
      goals: goalsOf(measured),
    };
  },
};

interface Side {
  readonly contestants: readonly Contestant[];
  close(): Promise<void>;
}

async function open({ scratch }: Context, count: number): Promise<Side> {
  const folder = await fillProject(scratch, count);
  const store = await storeOf(folder);
  const bare = new Database(logPathBeside(readModelPathIn(folder)), { readonly: true });
  const label = formatCount(count);
  return {
    contestants: [
      { name: `reading and parsing ${label} events`, run: () => readAndParse(bare) },
      {
        name: `EventLog.read of ${label}`,
        async run() {
          let after = 0;
          for (let read = 1; read > 0; after += read) read = (await store.log.read(after, PAGE)).length;
          if (after !== count) throw new Error(`The log has ${after} events, not ${count}.`);
        },
      },
      { name: `rebuild of ${label}`, run: () => rebuildAll(store.readModel, store.log) },
    ],
    async close() {
      checkLive(store);
      bare.close();
      await closeStore(store);
    },
  };
}

function checkLive({ readModel }: Store): void {
  const stopped = readModel.checkpoints.list().filter(({ state }) => state === "stopped");
  if (stopped.length > 0) throw new Error(`A projection stopped: ${stopped[0]?.error}`);
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

function goalsOf(measured: readonly { count: number; times: readonly Times[] }[]): Goal[] {
  const rebuilds = measured.map(({ count, times: [reading, , rebuilding] }) => {
    const rebuild_ms = median(rebuilding?.rounds.flat() ?? []);
    return { count, rate: count / rebuild_ms, ratio: rebuild_ms / median(reading?.rounds.flat() ?? []) };
  });
  const [shortest, longest] = [rebuilds[0], rebuilds.at(-1)];
  const goals = rebuilds.map(({ count, ratio }) =>
    atMost(`a rebuild / reading and parsing, ${formatCount(count)} events`, ratio, 7, formatRatio),
  );
  if (shortest && longest && shortest !== longest) {
    const what = `events per second at ${formatCount(longest.count)} / at ${formatCount(shortest.count)}`;
    goals.push(atLeast(what, longest.rate / shortest.rate, 0.85, formatRatio));
  }
  return goals;
}
