import { type Browser, chromium } from "playwright-core";
import { openProject, readModelPathIn } from "../../src/api/project.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { findChromium } from "../../test/support/needs.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { atMost } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { measureArrival } from "../lib/page/arrival.ts";
import { type Flood, measureFlood } from "../lib/page/flood.ts";
import { measureKeys } from "../lib/page/keys.ts";
import type { Measured } from "../lib/page/measured.ts";
import { measureScrolling } from "../lib/page/scrolling.ts";
import { measureViews } from "../lib/page/views.ts";
import { openWatched } from "../lib/page/watched.ts";
import { fillPanelProject, PANEL_TASKS, panelTasks } from "../lib/project.ts";
import { formatCount, formatTime } from "../lib/report.ts";
import { servePanel } from "../lib/server.ts";

export const page: Bench = {
  name: "page",
  limit_s: 300,
  async run(context) {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error("The bench `page` needs chromium.");
    const measured: (readonly [count: number, Measured])[] = [];
    for (const count of context.events) {
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
      for (const one of await measure(context, count, browser)) measured.push([count, one]);
      await browser.close();
    }
    return {
      title: "The panel's page",
      how: `In chromium, of a project with ${formatCount(PANEL_TASKS)} tasks, or one to ten events of a shorter log. A view: from the navigation until its first row is there, ${turnsOf(context)} times. A key: from pressing it in a filter until the first answer to it is drawn. An event: from its append by another process until the header has it. Frames: the times between them while a list is scrolled with the wheel. Heaps: after garbage collection, while another process appends ${formatCount(floodOf(context).events)} events, ${floodOf(context).perSecond} a second. "Longest task" is the longest task of the main thread (scripts, styles, layout and paint), from the navigation on.`,
      columns: ["events", "what", "median", "p95", "longest task"],
      rows: measured.map(([count, { what, times, longest_ms }]) => [
        formatCount(count),
        what,
        times.length === 0 ? "" : formatTime(median(times)),
        times.length === 0 ? "" : formatTime(quantile(times, 0.95)),
        formatTask(longest_ms),
      ]),
      goals: measured.flatMap(([count, { what, longest_ms, goals }]) =>
        [...goals, atMost(`${what}, longest task`, longest_ms, 50, formatTask)].map((goal) => ({
          ...goal,
          what: `${formatCount(count)} events: ${goal.what}`,
        })),
      ),
    };
  },
};

function formatTask(longest_ms: number): string {
  return longest_ms <= 50 ? "50 ms" : formatTime(longest_ms);
}

function turnsOf({ quick }: Context): number {
  return quick ? 2 : 20;
}

function floodOf({ quick }: Context): Flood {
  return quick
    ? { events: 400, perSecond: 200, settled: 100 }
    : { events: 6_000, perSecond: 200, settled: 2_000 };
}

async function measure(context: Context, count: number, browser: Browser): Promise<Measured[]> {
  const folder = await fillPanelProject(context.scratch, count);
  const readModel = readModelPathIn(folder);
  const task = await longestTimeline(folder);
  const panel = await servePanel(readModel);
  const watched = await openWatched(browser, panel.address);
  const measured = [
    ...(await measureViews(watched, task, turnsOf(context))),
    ...(await measureKeys(watched, task)),
    ...(await measureScrolling(watched, task)),
  ];
  const board = await openWatched(browser, panel.address);
  const log = { path: logPathBeside(readModel), count, tasks: panelTasks(count) };
  const pages = [
    ["log", watched],
    ["board", board],
  ] as const;
  measured.push(...(await measureFlood(pages, log, floodOf(context))));
  const project = await openProject(folder);
  measured.push(await measureArrival(board, project, turnsOf(context)));
  await project.close();
  await panel.stop();
  return measured;
}

/** The task about which agents said most. */
async function longestTimeline(folder: string): Promise<number> {
  const project = await openProject(folder);
  // The columns that the text names.
  const [row] = (await project.queries.sql(
    "SELECT task_id AS task FROM signals GROUP BY task_id ORDER BY count(*) DESC LIMIT 1",
  )) as { task: number }[];
  await project.close();
  if (!row) throw new Error("Agents have said nothing in this project.");
  return row.task;
}
