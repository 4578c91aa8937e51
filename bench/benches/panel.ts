import { setTimeout as pause } from "node:timers/promises";
import type { AnswerName, QueryOf } from "../../adapters/page/server/answers/index.ts";
import { readModelPathIn } from "../../src/api/project.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { below, type Goal } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { fillPanelProject, PANEL_TASKS } from "../lib/project.ts";
import { Random } from "../lib/random.ts";
import { formatCount, formatTime } from "../lib/report.ts";
import { servePanel } from "../lib/server.ts";

const OPEN = "draft,pending,in_progress,needs_input,blocked";

/** What the page asks as each of its views is opened. */
const ASKED: readonly (readonly [view: string, path: string])[] = [
  ["every view", pathOf("overview", {})],
  ["board", pathOf("board", { open: OPEN })],
  ["board, a text", pathOf("board", { open: OPEN, text: "zone" })],
  ["inbox", pathOf("inbox", { row: 0, limit: 200 })],
  ["sessions", pathOf("sessions", { row: 0, limit: 100 })],
  ["sessions, sums", pathOf("session_totals", {})],
  ["timeline", pathOf("timeline", { task: 7 })],
  ["learnings", pathOf("learnings", {})],
  ["learnings, a text", pathOf("learnings", { text: "zone" })],
  ["log", pathOf("log", { after: 0, limit: 100 })],
  ["charts, statuses", pathOf("chart", { chart: "statuses", days: 30, zone: "UTC" })],
];

/** The compiler checks that the server takes it. */
function pathOf<Name extends AnswerName>(name: Name, query: QueryOf<Name>): string {
  const given = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return `${name}?${given.join("&")}`;
}

export const panel: Bench = {
  name: "panel",
  async run(context) {
    const measured: Measured[] = [];
    for (const count of context.events) measured.push(...(await measure(context, count)));
    return {
      title: "The panel's answers",
      how: `From a request on the loopback to the whole answer, of a project with ${formatCount(PANEL_TASKS)} tasks, or one to ten events of a shorter log: of the present, ${turnsOf(context)} times each, and of as many positions anywhere in the log, once the history of the read model is made.`,
      columns: ["events", "asked", "now", "p95, now", "as of then", "p95, as of then"],
      rows: measured.map(({ count, view, now, past }) => [
        formatCount(count),
        view,
        formatTime(median(now)),
        formatTime(quantile(now, 0.95)),
        formatTime(median(past)),
        formatTime(quantile(past, 0.95)),
      ]),
      goals: measured.map(goalOf),
    };
  },
};

interface Measured {
  readonly count: number;
  readonly view: string;
  /** Milliseconds, of the present and of the past. */
  readonly now: readonly number[];
  readonly past: readonly number[];
}

function turnsOf({ quick }: Context): number {
  return quick ? 10 : 50;
}

async function measure(context: Context, count: number): Promise<Measured[]> {
  const folder = await fillPanelProject(context.scratch, count);
  const panel = await servePanel(readModelPathIn(folder));
  const ask = await asking(panel.address);
  const measured = ASKED.map(([view, path]) => ({
    view,
    path,
    count,
    now: [] as number[],
    past: [] as number[],
  }));
  await ask("overview");
  for (let turn = 0; turn < turnsOf(context); turn++) {
    for (const { path, now } of measured) now.push(await ask(path));
  }
  const random = new Random(count);
  for (let turn = -1; turn < turnsOf(context); turn++) {
    for (const { path, past } of measured) {
      const at = turn < 0 ? count : 1 + random.below(count);
      const took_ms = await ask(`${path}&at=${at}&nearest=1`);
      if (turn >= 0) past.push(took_ms);
    }
  }
  await panel.stop();
  return measured;
}

/** Asks with the cookie that the panel's address is exchanged for, until there is an answer. @returns milliseconds that it took */
async function asking(address: string): Promise<(path: string) => Promise<number>> {
  const entered = await fetch(address, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (path) => {
    for (;;) {
      const begin = performance.now();
      const response = await fetch(new URL(`/api/${path}`, address), { headers: { cookie } });
      const text = await response.text();
      if (response.status === 200) return performance.now() - begin;
      if (response.status !== 202) throw new Error(`/api/${path}: ${response.status} ${text}`);
      await pause(100);
    }
  };
}

function goalOf({ count, view, past }: Measured): Goal {
  return below(
    `${view}, anywhere in ${formatCount(count)} events, p95`,
    quantile(past, 0.95),
    150,
    formatTime,
  );
}
