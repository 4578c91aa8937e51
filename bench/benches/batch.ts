import Database from "better-sqlite3";
import { openBare } from "../lib/bare.ts";
import type { Bench } from "../lib/bench.ts";
import { history, take } from "../lib/history.ts";
import { race } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const SIZE = 1_000;

export const batch: Bench = {
  name: "batch",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 1 : 4, turns: quick ? 5 : 20, warmUp: 3 };
    const batches = plan.turns + plan.warmUp;
    const rows = await rowsOfLog(scratch.path("prepared.db"), batches);
    const times = await race(plan, async () => {
      const events = history("growing");
      const log = newLog(scratch.path("events.db"));
      const bare = openBareRows(scratch.path("bare.db"));
      const drafts = Array.from({ length: batches }, () => take(events, SIZE));
      let inserted = 0;
      let appended = 0;
      return {
        contestants: [
          {
            name: "bare insert of the rows",
            run() {
              const at = SIZE * inserted++;
              bare.insert(rows.slice(at, at + SIZE));
            },
          },
          { name: "EventLog.append", run: () => log.append(drafts[appended++] ?? []) },
        ],
        async close() {
          bare.close();
          await log.close();
        },
      };
    });
    return {
      title: "A batch of 1,000 events",
      how: `The same rows, all columns, on both sides; the bare ones are ready to bind, in one transaction, with no index but the key. ${plan.rounds} rounds of ${plan.turns} batches each. "Per second" counts events.`,
      columns: TIMES_COLUMNS,
      rows: timesRows(times, SIZE),
    };
  },
};

/** The rows that the log makes of these batches, as they are bound to a statement. */
async function rowsOfLog(path: string, batches: number): Promise<unknown[][]> {
  const events = history("growing");
  const log = newLog(path);
  for (let count = 0; count < batches; count++) await log.append(take(events, SIZE));
  await log.close();
  const database = new Database(path, { readonly: true });
  // `raw` gives the values of a row as an array.
  const rows = database.prepare("SELECT * FROM events ORDER BY position").raw().all() as unknown[][];
  database.close();
  return rows;
}

function openBareRows(path: string): { insert(rows: unknown[][]): void; close(): void } {
  const database = openBare(path);
  database.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, id BLOB, stream INTEGER, stream_version INTEGER,
    type TEXT, schema_version INTEGER, payload TEXT, salt BLOB, recorded_at TEXT, actor TEXT, causation BLOB,
    correlation TEXT, leaf_hash BLOB) STRICT`);
  const statement = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const insertAll = database.transaction((rows: unknown[][]) => {
    for (const row of rows) statement.run(...row);
  });
  return { insert: (rows) => insertAll.immediate(rows), close: () => void database.close() };
}
