import { readModelPathIn } from "../../src/api/project.ts";
import { closeStore } from "../../src/decisions/store.ts";
import { openHistory } from "../../src/history/time-travel/history/history.ts";
import { makeToHead } from "../../src/history/time-travel/history/make-to-head.ts";
import { type Cache, stateAt } from "../../src/history/time-travel/state-at.ts";
import { listTasks, readyTasks } from "../../src/queries/tasks.ts";
import type { ReadModel } from "../../src/read-model/read-model.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { below, type Goal } from "../lib/goals.ts";
import { median } from "../lib/measure.ts";
import { fillProject, storeOf } from "../lib/project.ts";
import { formatCount, formatTime } from "../lib/report.ts";

export const travel: Bench = {
  name: "travel",
  async run(context) {
    const measured: Measured[] = [];
    for (const count of context.events) measured.push(...(await measure(context, count)));
    return {
      title: "The project as it was",
      how: `From a log of so many events to the state at nine tenths of it, and that to an answer: \`next\`, and \`task list\`, which has every task of the history. In one process, without its start. Medians of ${TURNS}, from the first event of 1.`,
      columns: ["events", "from", "the state", "next", "task list"],
      rows: measured.map(({ count, from, times }) => [formatCount(count), from, ...times.map(formatTime)]),
      goals: measured.flatMap(goalsOf),
    };
  },
};

const TURNS = 3;

interface Measured {
  readonly count: number;
  /** Where the way to the state began. */
  readonly from: string;
  /** Milliseconds: until the state is there, then of each answer. */
  readonly times: readonly number[];
}

async function measure({ scratch, quick }: Context, count: number): Promise<Measured[]> {
  const folder = await fillProject(scratch, count);
  const store = await storeOf(folder);
  const position = Math.floor(count * 0.9);
  const look = (cache?: Cache) => timesOf(() => stateAt(store.log, position, cache));
  const fromNothing = await look();
  const readModelPath = readModelPathIn(folder);
  const history = openHistory(store.log, readModelPath);
  for await (const _ of makeToHead(history, { max_ms: 500 }));
  history.close();
  const turns: (readonly number[])[] = [];
  for (let turn = 0; turn < (quick ? 1 : TURNS); turn++) {
    turns.push(await look({ readModelPath, warn: () => {} }));
  }
  await closeStore(store);
  return [
    { count, from: "the first event", times: fromNothing },
    {
      count,
      from: "the history",
      times: [0, 1, 2].map((nth) => median(turns.map((turn) => turn[nth] ?? 0))),
    },
  ];
}

async function timesOf(travelTo: () => Promise<ReadModel>): Promise<number[]> {
  const begin = performance.now();
  const readModel = await travelTo();
  const there = performance.now();
  readyTasks(readModel, 1);
  const next = performance.now();
  listTasks(readModel);
  const listed = performance.now();
  readModel.close();
  return [there - begin, next - there, listed - next];
}

function goalsOf({ count, from, times: [state = 0, next = 0] }: Measured): Goal[] {
  if (from === "the first event") return [];
  const what = `the state and next, ${formatCount(count)} events, from ${from}`;
  return [below(what, state + next, 1_000, formatTime)];
}
