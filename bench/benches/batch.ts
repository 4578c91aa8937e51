import type { Bench } from "../lib/bench.ts";
import { history, take } from "../lib/history.ts";
import { race } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { openReadyTable, readyRows } from "../lib/ready-rows.ts";
import { TIMES_COLUMNS, timesRows } from "../lib/report.ts";

const SIZE = 1_000;

export const batch: Bench = {
  name: "batch",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 1 : 4, turns: quick ? 5 : 20, warmUp: 3 };
    const batches = plan.turns + plan.warmUp;
    const events = history("growing");
    const rows = await readyRows(
      scratch.path("prepared.db"),
      Array.from({ length: batches }, () => take(events, SIZE)),
    );
    const times = await race(plan, async () => {
      const events = history("growing");
      const log = newLog(scratch.path("events.db"));
      const bare = openReadyTable(scratch.path("bare.db"), COLUMNS);
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

const COLUMNS = `CREATE TABLE events (position INTEGER PRIMARY KEY, id BLOB, stream INTEGER, stream_version INTEGER,
  type TEXT, schema_version INTEGER, payload TEXT, salt BLOB, recorded_at TEXT, actor TEXT, causation BLOB,
  correlation TEXT, leaf_hash BLOB) STRICT`;
