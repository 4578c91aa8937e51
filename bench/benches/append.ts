import { openBareTable } from "../lib/bare.ts";
import type { Bench } from "../lib/bench.ts";
import { fileSystemOf } from "../lib/machine.ts";
import { type Race, race } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { flagEvent } from "../lib/project.ts";
import { TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { Scratch } from "../lib/scratch.ts";

const IN_MEMORY = "/dev/shm";

export const append: Bench = {
  name: "append",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 2 : 8, turns: quick ? 100 : 500, warmUp: 100 };
    const durable = await race(plan, () => openRace(scratch, ""));
    const rows = timesRows(durable);
    if (fileSystemOf(IN_MEMORY) === "tmpfs") {
      const memory = new Scratch(IN_MEMORY, { inMemory: true });
      try {
        rows.push(...timesRows(await race(plan, () => openRace(memory, ", in memory"))));
      } finally {
        memory.remove();
      }
    }
    return {
      title: "A durable append",
      how: `One event at a time, WAL and synchronous FULL on both sides; ${plan.rounds} rounds with new files, ${plan.turns} of each by turns after ${plan.warmUp} to warm up. "In memory" is the same on a tmpfs: what is left of the time when the disk costs nothing.`,
      columns: TIMES_COLUMNS,
      rows,
    };
  },
};

async function openRace(scratch: Scratch, where: string): Promise<Race> {
  const bare = openBareTable(scratch.path("bare.db"));
  const log = newLog(scratch.path("events.db"));
  let inserted = 0;
  let appended = 0;
  return {
    contestants: [
      {
        name: `bare insert of key and payload${where}`,
        run: () => bare.insert(JSON.stringify(flagEvent(++inserted).payload)),
      },
      { name: `EventLog.append of one event${where}`, run: () => log.append([flagEvent(++appended)]) },
    ],
    async close() {
      bare.close();
      await log.close();
    },
  };
}
