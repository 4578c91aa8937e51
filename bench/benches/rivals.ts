import type { Bench } from "../lib/bench.ts";
import { atLeast } from "../lib/goals.ts";
import { mean, median, type Race, race } from "../lib/measure.ts";
import { newLog } from "../lib/new-log.ts";
import { flagEvent } from "../lib/project.ts";
import { formatRatio, formatTime, TIMES_COLUMNS, timesRows } from "../lib/report.ts";
import { openActSqlite, openEmmett, type Rival } from "../lib/rivals.ts";
import type { Scratch } from "../lib/scratch.ts";
import { countSystemCalls, describeSyncs } from "../lib/syncs.ts";

const COUNTED = 20;

export const rivals: Bench = {
  name: "rivals",
  async run({ scratch, quick }) {
    const plan = { rounds: quick ? 1 : 6, turns: quick ? 100 : 300, warmUp: 50 };
    const emmett: EmmettTimes = { answers_ms: [], failures: 0 };
    const times = await race(plan, () => openRace(scratch, emmett));
    const syncs = await countEach(scratch);
    const rates = times.map(({ rounds }) => 1 / mean(rounds.flat()));
    const timesAsMany = (index: number) => (rates[0] ?? 0) / (rates[index] ?? 0);
    return {
      title: "A durable append beside other event stores",
      how: `One event at a time by each package's own append, all to one stream, on disk, in one process; ${plan.rounds} rounds with new files, ${plan.turns} of each by turns. Each runs in its default setting, which for both is WAL and synchronous FULL: they have no other that is more durable. emmett-sqlite's event store opens its file for each append and closes it behind the answer, which checkpoints; its time is until the file is closed, since an append before that fails at times; until the answer alone it is ${formatTime(median(emmett.answers_ms))} in the median. ${emmett.failures} of its appends failed all the same (SQLITE_BUSY) and were made again. act-sqlite asks for Node 22.23 and ran on ${process.version}. Syncs are counted by strace in a run of its own.`,
      columns: [...TIMES_COLUMNS, "fsyncs an append"],
      rows: timesRows(times).map((row, index) => [...row, syncs[index] ?? ""]),
      goals: [
        atLeast("× as many per second as act-sqlite", timesAsMany(1), 1.5, formatRatio),
        atLeast("× as many per second as emmett-sqlite", timesAsMany(2), 8, formatRatio),
      ],
    };
  },
};

/** What the table does not say of emmett-sqlite. */
interface EmmettTimes {
  /** Until an append is answered; its file is still open then. */
  readonly answers_ms: number[];
  failures: number;
}

async function open(scratch: Scratch, emmett: EmmettTimes) {
  const log = newLog(scratch.path("events.db"));
  const others: { name: string; file: string; rival: Rival }[] = [
    {
      name: "@rotorsoft/act-sqlite 1.19, commit",
      file: "act.db",
      rival: await openActSqlite(scratch.path("act.db")),
    },
    {
      name: "emmett-sqlite 0.38, appendToStream",
      file: "emmett.db",
      rival: await openEmmett(scratch.path("emmett.db"), () => {
        emmett.failures += 1;
      }),
    },
  ];
  let number = 0;
  const stores: Store[] = [
    { name: "EventLog.append", file: "events.db", append: () => log.append([flagEvent(++number)]) },
    ...others.map(({ name, file, rival }) => ({
      name,
      file,
      append() {
        const { type, payload } = flagEvent(++number);
        return rival.append("task-1", type, payload);
      },
      ...(rival.settled && { settled: rival.settled }),
    })),
  ];
  return {
    stores,
    async close() {
      await log.close();
      for (const { rival } of others) await rival.close();
    },
  };
}

interface Store {
  readonly name: string;
  readonly file: string;
  append(): Promise<unknown>;
  /** Absent where nothing goes on behind an answer. */
  settled?: Rival["settled"];
}

async function openRace(scratch: Scratch, emmett: EmmettTimes): Promise<Race> {
  const { stores, close } = await open(scratch, emmett);
  const contestants = stores.map(({ name, append, settled }) => ({
    name,
    async run() {
      const begin = performance.now();
      await append();
      if (!settled) return;
      emmett.answers_ms.push(performance.now() - begin);
      await settled();
    },
  }));
  return { contestants, close };
}

async function countEach(scratch: Scratch): Promise<string[]> {
  const { stores, close } = await open(scratch, { answers_ms: [], failures: 0 });
  const counts: string[] = [];
  const others = (file: string) => stores.map((store) => store.file).filter((other) => other !== file);
  for (const { file, append, settled } of stores) {
    await append();
    await settled?.();
    const counted = await countSystemCalls(process.pid, async () => {
      for (let count = 0; count < COUNTED; count++) {
        await append();
        await settled?.();
      }
    });
    // The others' files are open as well; act-sqlite may close a connection meanwhile.
    const own = [...(counted?.syncs ?? [])].filter(
      ([name]) => !others(file).some((other) => name.startsWith(other)),
    );
    counts.push(counted ? describeSyncs(new Map(own), COUNTED) : "not counted");
  }
  await close();
  return counts;
}
