import { setTimeout as delay } from "node:timers/promises";
import { LOG_SCHEMA } from "../../src/events/sqlite-schema.ts";
import { openBareTable } from "../lib/bare.ts";
import type { Bench } from "../lib/bench.ts";
import { atMost, type Goal } from "../lib/goals.ts";
import { fileSystemOf } from "../lib/machine.ts";
import { median, type Race, race, type Times } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { flagEvent } from "../lib/project.ts";
import { openReadyTable, readyRows } from "../lib/ready-rows.ts";
import { formatRatio, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { Scratch } from "../lib/scratch.ts";

const IN_MEMORY = "/dev/shm";

export const append: Bench = {
  name: "append",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 2 : 8, turns: quick ? 200 : 500, warmUp: quick ? 300 : 500 };
    const drafts = Array.from({ length: plan.turns + plan.warmUp }, (_, number) => flagEvent(number + 1));
    const durable = await race(plan, () => openRace(scratch, drafts, ""));
    const rows = timesRows(durable);
    const goals: Goal[] = [];
    if (fileSystemOf(IN_MEMORY) === "tmpfs") {
      const memory = new Scratch(IN_MEMORY, { inMemory: true });
      try {
        const times = await race(plan, () => openRace(memory, drafts, ", in memory"));
        rows.push(...timesRows(times));
        goals.push(besideAllColumns(times));
      } finally {
        memory.remove();
      }
    }
    return {
      title: "A durable append",
      how: `One event at a time, WAL and synchronous FULL on all sides; ${plan.rounds} rounds with new files, ${plan.turns} of each by turns after ${plan.warmUp} to warm up. "All columns" is the row that the log makes of the same event, ready to bind, inserted in a transaction of its own into the log's own table, with its indexes and triggers. "In memory" is the same on a tmpfs: what is left of the time when the disk costs nothing. A round begins when the log's folder has not changed for a while, as that of a project.`,
      columns: TIMES_COLUMNS,
      rows,
      goals,
    };
  },
};

async function openRace(
  scratch: Scratch,
  drafts: readonly ReturnType<typeof flagEvent>[],
  where: string,
): Promise<Race> {
  const rows = await readyRows(scratch.path("prepared.db"), [drafts]);
  const bare = openBareTable(scratch.path("bare.db"));
  const ready = openReadyTable(
    scratch.path("ready.db"),
    `${LOG_SCHEMA}; INSERT INTO streams VALUES (1, 'session-bench')`,
  );
  const log = newLog(scratch.path("events.db"));
  let insertedBare = 0;
  let insertedReady = 0;
  let appended = 0;
  // The first append makes files.
  await log.append([]);
  await delay(SETTLED_MS);
  return {
    contestants: [
      {
        name: `bare insert of key and payload${where}`,
        run: () => bare.insert(JSON.stringify(drafts[insertedBare++]?.payload)),
      },
      {
        name: `insert of all columns, indexes and triggers${where}`,
        run: () => ready.insert([rows[insertedReady++] ?? []]),
      },
      {
        name: `EventLog.append of one event${where}`,
        run: () => log.append(drafts.slice(appended, ++appended)),
      },
    ],
    async close() {
      bare.close();
      ready.close();
      await log.close();
    },
  };
}

/** Longer than the log takes a change of its folder for recent (src/events/sqlite-in-place.ts). */
const SETTLED_MS = 3_200;

function besideAllColumns([, ready, ours]: readonly Times[]): Goal {
  const ratio = median(ours?.rounds.flat() ?? []) / median(ready?.rounds.flat() ?? []);
  return atMost("append beside an insert of all columns, in memory", ratio, 1.5, formatRatio);
}
