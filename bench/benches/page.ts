import { type Browser, chromium, type Page } from "playwright-core";
import { createTask } from "../../src/operations/tasks.ts";
import { openProject, type Project, readModelPathIn } from "../../src/project/project.ts";
import { findChromium } from "../../test/support/needs.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { below, type Goal } from "../lib/goals.ts";
import { median, quantile } from "../lib/measure.ts";
import { fillPanelProject, PANEL_TASKS } from "../lib/project.ts";
import { formatCount, formatTime } from "../lib/report.ts";
import { servePanel } from "../lib/server.ts";

/** Each view, and what stands there once its answer has come. */
const VIEWS = [
  ["board", "/board", ".board-column article"],
  ["inbox", "/inbox", ".inbox-row"],
  ["sessions", "/sessions", ".session-link"],
  ["timeline", "/tasks/7", "main article"],
  ["learnings", "/learnings", ".learning-text"],
  ["charts", "/charts", ".chart canvas"],
  ["log", "/log", ".log-row .mono:not(:empty)"],
] as const;

export const page: Bench = {
  name: "page",
  async run(context) {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error("The bench `page` needs chromium.");
    const measured: Measured[] = [];
    for (const count of context.events) {
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
      measured.push(...(await measure(context, count, browser)));
      await browser.close();
    }
    return {
      title: "The panel's page",
      how: `In chromium, of a project with ${formatCount(PANEL_TASKS)} tasks, or one to ten events of a shorter log. A view: from the navigation until its first row is there, ${turnsOf(context)} times. A key: from pressing it in the board's filter until the answer to it is drawn. An event: from its append by another process until the header has it. "Longest task" is the longest time in which the page could draw nothing.`,
      columns: ["events", "what", "median", "p95", "longest task"],
      rows: measured.map(({ count, what, times, longest_ms }) => [
        formatCount(count),
        what,
        formatTime(median(times)),
        formatTime(quantile(times, 0.95)),
        longest_ms === 0 ? "under 50 ms" : formatTime(longest_ms),
      ]),
      goals: measured.map(goalOf),
    };
  },
};

interface Measured {
  readonly count: number;
  readonly what: string;
  readonly goal_ms: number;
  /** Milliseconds. */
  readonly times: readonly number[];
  readonly longest_ms: number;
}

function turnsOf({ quick }: Context): number {
  return quick ? 2 : 7;
}

async function measure(context: Context, count: number, browser: Browser): Promise<Measured[]> {
  const folder = await fillPanelProject(context.scratch, count);
  const project = await openProject(folder);
  const panel = await servePanel(readModelPathIn(folder));
  const view = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await view.addInitScript(
    `window.longest = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration); }).observe({ type: "longtask", buffered: true });`,
  );
  await view.goto(panel.address);
  const measured: Measured[] = [];
  for (const [what, path, shown] of VIEWS) {
    const times: number[] = [];
    let longest_ms = 0;
    for (let turn = 0; turn < turnsOf(context); turn++) {
      await view.goto(new URL(path, panel.address).href, { waitUntil: "commit" });
      await view.locator(shown).first().waitFor();
      times.push(Number(await view.evaluate("performance.now()")));
      longest_ms = Math.max(longest_ms, await longestTask(view));
    }
    measured.push({ count, what, goal_ms: 1_000, times, longest_ms });
  }
  measured.push(await typed(view, count, new URL("/board", panel.address).href));
  measured.push(await came(view, count, project, turnsOf(context) * 3));
  await view.close();
  await panel.stop();
  await project.close();
  return measured;
}

/** Keys in the filter of the board, one after the other. */
async function typed(view: Page, count: number, address: string): Promise<Measured> {
  await view.goto(address);
  const field = view.getByRole("searchbox", { name: "Title or number" });
  await field.focus();
  await view.evaluate("window.longest = 0");
  const times: number[] = [];
  let text = "";
  for (const key of "reminders") {
    text += key;
    const begin = performance.now();
    await view.keyboard.press(key);
    const isDrawn = `new URLSearchParams(location.search).get("text") === ${JSON.stringify(text)} && !document.querySelector(".is-old")`;
    while (!(await view.evaluate(isDrawn)));
    times.push(performance.now() - begin);
  }
  return { count, what: "a key in the filter", goal_ms: 100, times, longest_ms: await longestTask(view) };
}

/** Events of another process while the board is open. */
async function came(view: Page, count: number, project: Project, turns: number): Promise<Measured> {
  await view.evaluate("window.longest = 0");
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const begin = performance.now();
    const [event] = await project.decide(createTask({ title: `Come ${turn}` }));
    await view.getByText(`live · last event #${event?.position.toLocaleString("en")}`).waitFor();
    times.push(performance.now() - begin);
  }
  return { count, what: "an event that comes", goal_ms: 500, times, longest_ms: await longestTask(view) };
}

async function longestTask(view: Page): Promise<number> {
  return Number(await view.evaluate("window.longest"));
}

function goalOf({ count, what, goal_ms, times }: Measured): Goal {
  return below(`${what}, ${formatCount(count)} events, p95`, quantile(times, 0.95), goal_ms, formatTime);
}
