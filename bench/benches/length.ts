import { openProject, type Project } from "../../src/api/project.ts";
import { closeStore } from "../../src/decisions/store.ts";
import { rebuild } from "../../src/read-model/rebuild.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { below } from "../lib/goals.ts";
import { type Contestant, median, quantile, race, type Times } from "../lib/measure.ts";
import { addSession, fillProject, flagArguments, flagEvent, storeOf } from "../lib/project.ts";
import { formatCount, formatRatio, formatTime } from "../lib/report.ts";
import { type Launch, signalboxMcp, startServer } from "../lib/server.ts";

const SHORT = 1_000;
/** Tasks of a board that stays as it is while the log grows. */
const TASKS = 60;

/** A question that takes long is asked less often, as long as its p99 still says something. */
const LONGEST_MS = 15_000;
const FEWEST = 100;

export const length: Bench = {
  name: "length",
  async run(context) {
    const long = context.events.at(-1) ?? 100_000;
    const boards = [
      await compare(context, long, TASKS, `${TASKS} tasks`),
      await compare(context, long, "growing", "growing board"),
    ];
    return {
      title: `Cost against the length of the log: ${formatCount(SHORT)} and ${formatCount(long)} events`,
      how: `By turns on a short and a long log. First with the same ${TASKS} tasks on both, where each ratio should be about 1; then with a board that grows with its log, where counts and the inbox have more to count and to show. ${boards.map(({ contents }) => contents).join(" ")}`,
      columns: ["", "median, short", "median, long", "long / short", "p99, long", "runs"],
      rows: boards.flatMap(({ board, comparisons }) => comparisons.map((row) => rowOf(row, board))),
      goals: boards.flatMap(({ board, comparisons }) =>
        comparisons.flatMap(({ what, goal_ms, times }) =>
          goal_ms === undefined
            ? []
            : below(
                `p99 of ${what}, ${formatCount(long)} events (${board})`,
                quantile(times[1]?.rounds.flat() ?? [], 0.99),
                goal_ms,
                formatTime,
              ),
        ),
      ),
    };
  },
};

interface Comparison {
  readonly what: string;
  /** What the p99 on the long log should stay under. */
  readonly goal_ms?: number;
  readonly times: readonly Times[];
}

interface Board {
  readonly board: string;
  /** What is on the long log's board, in a sentence. */
  readonly contents: string;
  readonly comparisons: readonly Comparison[];
}

async function compare(
  context: Context,
  long: number,
  tasks: "growing" | number,
  board: string,
): Promise<Board> {
  const longProject = await prepare(context, long, tasks);
  const projects = [await prepare(context, SHORT, tasks), longProject];
  const few = context.quick ? 3 : 20;
  const many = context.quick ? 100 : 1_000;
  const comparisons: Comparison[] = [];
  for (const { open, count, ...question } of [
    { what: "append", count: many, open: appending },
    { what: "next task", goal_ms: 0.1, count: many, open: asking((project) => project.queries.nextTask()) },
    {
      what: "board counts",
      goal_ms: 2,
      count: many,
      open: asking((project) => project.queries.taskCounts()),
    },
    { what: "inbox", goal_ms: 2, count: many, open: asking((project) => project.queries.inbox()) },
    { what: "open, catch up, close", count: few * 2, open: opening },
    { what: "spawn to tools/list", count: few, open: starting(false) },
    { what: "spawn to a first verb's answer", count: few, open: starting(true) },
  ]) {
    const sides = await Promise.all(projects.map(open));
    const turns = count === many ? await affordable(sides, count) : count;
    const times = await race({ rounds: 1, turns, warmUp: Math.ceil(turns / 10) }, async () => ({
      contestants: sides.map((side, index) => ({ name: index === 0 ? "short" : "long", run: side.run })),
    }));
    for (const side of sides) await side.close?.();
    comparisons.push({ ...question, times });
  }
  return { board, contents: await contentsOf(longProject, board), comparisons };
}

/** How often sides can be run in LONGEST_MS, but at least FEWEST times and at most `limit`. */
async function affordable(sides: readonly Side[], limit: number): Promise<number> {
  for (const { run } of sides) await run();
  const begin = performance.now();
  for (const { run } of sides) await run();
  return Math.min(limit, Math.max(FEWEST, Math.floor(LONGEST_MS / (performance.now() - begin))));
}

async function contentsOf({ folder }: Prepared, board: string): Promise<string> {
  const project = await openProject(folder);
  const inbox = await project.queries.inbox();
  const kinds = new Map<string, number>();
  for (const { kind } of inbox) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = [...kinds]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${formatCount(count)}`);
  const [tasks] = await project.queries.sql("SELECT count(*) AS count FROM tasks");
  await project.close();
  const count = typeof tasks === "object" && tasks !== null && "count" in tasks ? Number(tasks.count) : 0;
  return `The long log's ${board}: ${formatCount(count)} tasks, and an inbox of ${formatCount(inbox.length)} that wait (${parts.join(", ")}).`;
}

interface Prepared {
  readonly folder: string;
  readonly launch: Launch;
}

type Side = Pick<Contestant, "run"> & { close?(): unknown };

async function prepare({ scratch }: Context, count: number, tasks: "growing" | number): Promise<Prepared> {
  const folder = await fillProject(scratch, count, tasks);
  const store = await storeOf(folder);
  await rebuild(store.readModel, store.log);
  await closeStore(store);
  return { folder, launch: signalboxMcp(await addSession(folder)) };
}

async function appending({ folder }: Prepared): Promise<Side> {
  const { log, readModel } = await storeOf(folder);
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
