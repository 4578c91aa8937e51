import { closeStore } from "../../src/decisions/store.ts";
import { openProject, type Project } from "../../src/project.ts";
import { rebuild } from "../../src/projections/rebuild.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { type Contestant, median, quantile, race, type Times } from "../lib/measure.ts";
import { addSession, fillProject, flagArguments, flagEvent, storeOf } from "../lib/project.ts";
import { formatRatio, formatTime } from "../lib/report.ts";
import { type Launch, signalboxMcp, startServer } from "../lib/server.ts";

const SHORT = 1_000;
/** Tasks of a board that stays as it is while the log grows. */
const TASKS = 60;

export const length: Bench = {
  name: "length",
  async run(context) {
    const long = context.events.at(-1) ?? 100_000;
    const same = await compare(context, long, TASKS);
    const growing = await compare(context, long, "growing");
    return {
      title: `Cost against the length of the log: ${SHORT.toLocaleString("en-US")} and ${long.toLocaleString("en-US")} events`,
      how: `By turns on a short and a long log. First with the same ${TASKS} tasks on both, where each ratio should be about 1; then with a board that grows with its log, where counts and the inbox have more to count and to show.`,
      columns: ["", "median, short", "median, long", "long / short", "p99, long", "runs"],
      rows: [
        ...same.map((row) => rowOf(row, `${TASKS} tasks`)),
        ...growing.map((row) => rowOf(row, "growing board")),
      ],
    };
  },
};

interface Comparison {
  readonly what: string;
  readonly times: readonly Times[];
}

async function compare(context: Context, long: number, tasks: "growing" | number): Promise<Comparison[]> {
  const folders = [await prepare(context, SHORT, tasks), await prepare(context, long, tasks)];
  const few = context.quick ? 3 : 20;
  const many = context.quick ? 100 : 1_000;
  const results: Comparison[] = [];
  for (const { what, count, open } of [
    { what: "append", count: many, open: appending },
    { what: "next task", count: many, open: asking((project) => project.queries.nextTask()) },
    { what: "board counts", count: many, open: asking((project) => project.queries.taskCounts()) },
    { what: "inbox", count: many, open: asking((project) => project.queries.inbox()) },
    { what: "open, catch up, close", count: few * 2, open: opening },
    { what: "spawn to tools/list", count: few, open: starting(false) },
    { what: "spawn to a first verb's answer", count: few, open: starting(true) },
  ]) {
    const sides = await Promise.all(folders.map(open));
    const times = await race({ rounds: 1, turns: count, warmUp: Math.ceil(count / 10) }, async () => ({
      contestants: sides.map((side, index) => ({ name: index === 0 ? "short" : "long", run: side.run })),
    }));
    for (const side of sides) await side.close?.();
    results.push({ what, times });
  }
  return results;
}

interface Prepared {
  readonly folder: string;
  readonly launch: Launch;
}

type Side = Pick<Contestant, "run"> & { close?(): unknown };

async function prepare({ scratch }: Context, count: number, tasks: "growing" | number): Promise<Prepared> {
  const folder = await fillProject(scratch, count, tasks);
  const store = storeOf(folder);
  await rebuild(store.readModel, store.log);
  await closeStore(store);
  return { folder, launch: signalboxMcp(await addSession(folder)) };
}

async function appending({ folder }: Prepared): Promise<Side> {
  const { log, readModel } = storeOf(folder);
  readModel.close();
  let number = 0;
  return { run: () => log.append([flagEvent(++number)]), close: () => log.close() };
}

function asking(question: (project: Project) => Promise<unknown>): (prepared: Prepared) => Promise<Side> {
  return async ({ folder }) => {
    const project = await openProject(folder);
    return { run: () => question(project), close: () => project.close() };
  };
}

async function opening({ folder }: Prepared): Promise<Side> {
  return { run: async () => (await openProject(folder)).close() };
}

function starting(withCall: boolean): (prepared: Prepared) => Promise<Side> {
  let number = 0;
  return async ({ launch }) => ({
    run: async () =>
      withCall
        ? (await startServer(launch, { name: "flag", arguments: flagArguments(++number) })).called_ms
        : (await startServer(launch)).listed_ms,
  });
}

function rowOf({ what, times }: Comparison, board: string): string[] {
  const [short = [], long = []] = times.map(({ rounds }) => rounds.flat());
  return [
    `${what} (${board})`,
    formatTime(median(short)),
    formatTime(median(long)),
    formatRatio(median(long) / median(short)),
    long.length >= 100 ? formatTime(quantile(long, 0.99)) : "",
    String(long.length),
  ];
}
