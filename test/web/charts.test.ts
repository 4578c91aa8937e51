import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { dayInWords } from "../../src/lib/readable.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { CHARTS, chart } from "../../src/queries/charts/charts.ts";
import { countTasks } from "../../src/queries/tasks.ts";
import { worked } from "../projections/board/history.ts";
import { runBy } from "../projections/metrics/given.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";
import { does, ends, projectWith, says, starts, task, used, type Work } from "./support/work.ts";

useBrowser();

const CLEAN = { faults: [], strangers: [] };
const DAY = 24 * 60;
const UTC = { timezoneId: "UTC" };
/** A zone in which it is about noon: what happened an hour ago was today. (The names of these zones count westward.) */
const hoursToNoon = 12 - new Date().getUTCHours();
const AT_NOON = { timezoneId: `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}` };

/** Sessions on several days: one told its cost, one did not; one ended on another day than it began; one runs. */
const WORK: Work = [
  [5 * DAY, task(1, "Lay the points")],
  [5 * DAY, task(2, "Set the signals")],
  [5 * DAY, task(3, "Oil the levers")],
  [4 * DAY, starts("s-1", 1)],
  [4 * DAY - 1, does("s-1", "analyzing")],
  [4 * DAY - 10, does("s-1", "implementing")],
  [4 * DAY - 30, says("s-1", 1, "Points are laid")],
  [4 * DAY - 31, used("s-1", 0.5, 9)],
  [4 * DAY - 32, ends("s-1")],
  [3 * DAY, starts("s-2", 2)],
  [3 * DAY - 5, does("s-2", "testing")],
  [2 * DAY, ends("s-2", "crashed")],
  [60, starts("s-3", 3)],
  [50, does("s-3", "implementing")],
];

async function panelOf(work: Work) {
  const { project, now } = await projectWith(work);
  onTestFinished(() => project.close());
  return { now, ...(await freshPanel({ project })) };
}

interface ChartAnswer {
  readonly sql: string;
  readonly rows: readonly Record<string, number | string | null>[];
  readonly days: readonly { readonly day: string; readonly upto: number }[];
}

/** What the server answers the page. */
async function ask(page: Page, chart: string, zone = "UTC", days = 30): Promise<ChartAnswer> {
  const found = await page.request.get(
    new URL(`/api/chart?chart=${chart}&days=${days}&zone=${encodeURIComponent(zone)}`, page.url()).href,
  );
  return (await found.json()).answer;
}

test("the numbers of each chart are the result of the SQL that it shows", { tags: "chromium" }, async () => {
  const { project, panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts", UTC);
  const hows = page.getByRole("button", { name: /^How (is this|are stuck tasks) counted\?$/ });
  await expect.poll(() => hows.count()).toBe(6);
  for (const button of await hows.all()) await button.click();
  const shown = page.locator(".how-counted pre");
  await expect.poll(() => shown.count()).toBe(7);
  // A session runs: its time goes on between two answers.
  const atAnyTime = (sql: string) => sql.replace(/\b\d{16}\b/, "now");
  for (const [nth, chart] of CHARTS.entries()) {
    const { sql, rows } = await ask(page, chart);
    expect(atAnyTime(await shown.nth(nth).innerText())).toBe(atAnyTime(sql));
    expect(await project.queries.sql(sql)).toEqual(rows);
    expect(rows.length).toBeGreaterThan(0);
  }
  expect(seen).toEqual(CLEAN);
});

test("charts show the numbers of metrics, day by day", { tags: "chromium" }, async () => {
  const { project, panel, now } = await panelOf(WORK);
  const { page } = await openPage(panel, "/charts", UTC);
  const found = await project.queries.metrics({ now, by: "day" });
  const [phases, costs, closings, dones] = [
    await ask(page, "phases"),
    await ask(page, "costs"),
    await ask(page, "closings"),
    await ask(page, "dones"),
  ];
  const rowOf = ({ rows }: ChartAnswer, day: string | null) => rows.find((row) => row.day === day);
  for (const { group, phase, total_s } of found.phases)
    expect(rowOf(phases, group)?.[`${phase}_s`], `${group} ${phase}`).toBe(total_s);
  for (const { group, sessions, cost_usd, cost_unknown } of found.costs.filter(
    ({ sessions }) => sessions > 0,
  ))
    expect(rowOf(costs, group)).toEqual({ day: group, sessions, cost_usd, cost_unknown });
  for (const { group: _, period, ended: __, ...counts } of found.closings)
    expect(rowOf(closings, period)).toEqual({ day: period, ...counts });
  for (const { group, stood, refused_by_evidence, refused_by_gates, sent_back, waiting } of found.dones)
    expect(rowOf(dones, group)).toEqual({
      ...{ day: group, stood, refused_by_evidence, refused_by_gates, sent_back, waiting },
    });
  expect(
    found.phases.length * found.costs.length * found.closings.length * found.dones.length,
  ).toBeGreaterThan(0);
  const { rows } = await ask(page, "statuses");
  expect(rows.at(-1)).toMatchObject(countTasks(project.store.readModel));
});

test("the table and the CSV have the same numbers, and unknown is not 0", {
  tags: "chromium",
}, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts?days=7", UTC);
  const chart = page.getByRole("region", { name: "Sessions and cost", exact: true });
  await chart.getByRole("button", { name: "Show table" }).click();
  const { rows } = await ask(page, "costs", "UTC", 7);
  await chart.getByRole("row").nth(rows.length).waitFor();
  const cells = await chart.getByRole("row").allInnerTexts();
  expect(cells.slice(1).map((line) => line.split("\t")[0])).toEqual(
    rows.map(({ day }) => dayInWords(String(day))).reverse(),
  );
  expect(cells.some((line) => /^[^\t]+\s1\s–\s1$/.test(line))).toBe(true);
  expect(cells.some((line) => /^[^\t]+\s1\s\$0\.50\s0$/.test(line))).toBe(true);
  expect(cells.some((line) => /^[^\t]+\s0\s–\s0$/.test(line))).toBe(true);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    chart.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8").split("\r\n")).toEqual([
    "day,sessions,cost_usd,cost_unknown",
    ...rows.map(
      ({ day, sessions, cost_usd, cost_unknown }) => `${day},${sessions},${cost_usd ?? ""},${cost_unknown}`,
    ),
    "",
  ]);
  expect(seen).toEqual(CLEAN);
});

test("the pointer reads all series of a day, and a click shows the project at its end", {
  tags: "chromium",
}, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts?days=7", UTC);
  const chart = page.getByRole("region", { name: "Cumulative flow", exact: true });
  const over = chart.locator(".u-over");
  await over.waitFor();
  const { days, rows } = await ask(page, "statuses", "UTC", 7);
  const box = await over.boundingBox();
  if (!box) throw new Error("The chart has no place.");
  // Of seven days the first one without data; the third last is half way to the fifth.
  const on = { x: (box.width * 4.5) / 7, y: box.height / 2 };
  const index = days.length - 3;
  await over.hover({ position: on });
  await chart.getByText(`${dayInWords(days[index]?.day ?? "")} · click`).waitFor();
  const legend = (await chart.getByRole("list").innerText()).replaceAll(/\s+/g, " ");
  for (const [status, word] of Object.entries({
    done: "done",
    pending: "pending",
    in_progress: "in progress",
  }))
    expect(legend).toContain(`${word} ${rows[index]?.[status]}`);
  await over.click({ position: on });
  await page.getByText("Viewing the project at #").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("at")).toBe(String(days[index]?.upto));
  await expect.poll(() => new URL(page.url()).searchParams.get("days")).toBe("7");
  expect(seen).toEqual(CLEAN);
});

test("the switch of zones is obeyed by the days of charts", { tags: "chromium" }, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts", { timezoneId: "Pacific/Kiritimati" });
  await page.getByText("Time zone: Pacific/Kiritimati").waitFor();
  await page.getByRole("button", { name: "local" }).click();
  await page.getByText("Time zone: UTC").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("the date range is in the address, and an invalid one is reported", { tags: "chromium" }, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts?days=9999", UTC);
  await page.getByRole("alert").getByText('"9999" is not a number of days from 1 to 366.').waitFor();
  await page.getByRole("link", { name: "90 days" }).click();
  await page.getByRole("link", { name: "90 days" }).and(page.locator("[aria-current]")).waitFor();
  await expect.poll(() => page.url()).toContain("days=90");
  expect(seen).toEqual(CLEAN);
});

test("in the past charts end with that moment", { tags: "chromium" }, async () => {
  const { project, panel } = await panelOf(WORK);
  const ended = (await project.log.read(0, 100)).find(({ type }) => type === "session.ended");
  const { page, seen } = await openPage(panel, `/charts?at=${ended?.position}`, UTC);
  const chart = page.getByRole("region", { name: "Closing verbs", exact: true });
  await chart.getByRole("button", { name: "Show table" }).click();
  const day = dayInWords(ended?.recordedAt.slice(0, 10) ?? "");
  await chart.getByRole("row", { name: `${day} 1 0 0 0 0 0` }).waitFor();
  await expect.poll(() => chart.getByRole("row").nth(1).innerText()).toContain(day);
  expect(seen).toEqual(CLEAN);
});

test("without sessions there is no data, which is not 0", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Export orders as CSV" }));
  const { page, seen } = await openPage(panel, "/charts", UTC);
  const chart = page.getByRole("region", { name: "Sessions and cost", exact: true });
  await chart.locator(".u-over").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(seen).toEqual(CLEAN);
});

/**
 * The charts, an event after that, and when one of them is asked for again: after its first answer, and after what is asked for with the event. The server is said to have worked
 * so long on each of the first answers, which were so long on their way.
 */
async function slowCharts(given: {
  readonly took_ms: number;
  readonly way_ms: number;
  /** How far answers to another question are behind the log. */
  readonly behind?: number;
}) {
  const { took_ms, way_ms, behind = 0 } = given;
  const { panel, project } = await panelOf(WORK);
  const { page } = await openPage(panel);
  // An answer that is given after the event would have it.
  await page.goto("about:blank");
  const [first] = await Promise.all([
    page.waitForResponse(/api\/overview/),
    page.goto(new URL("/board", panel.address).href),
  ]);
  await first.finished();
  await isLive(page);
  /** When: milliseconds since 1970. */
  const asked: { readonly path: string; readonly at: number }[] = [];
  let charts = 0;
  let answered = 0;
  await page.route("**/api/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push({ path: pathname, at: Date.now() });
    if (pathname !== "/api/overview" && (pathname !== "/api/chart" || ++charts > CHARTS.length))
      return route.continue();
    const told = await (await route.fetch()).json();
    if (pathname === "/api/overview")
      return route.fulfill({ json: { ...told, position: told.position - behind } });
    await pause(way_ms);
    answered ||= Date.now();
    await route.fulfill({ json: { ...told, took_ms } });
  });
  await page.getByRole("link", { name: "Charts" }).click();
  await expect.poll(() => page.locator("canvas").count()).toBe(5);
  await page.getByText(/Stuck now: \w/).waitFor();
  await page.getByRole("region", { name: "Done by agent and model" }).waitFor();
  const before = asked.length;
  await project.decide(createTask({ title: "Paint the gates" }));
  const next = (path: string) => asked.slice(before).find((one) => one.path === path)?.at;
  await expect.poll(() => next("/api/overview")).toBeGreaterThan(0);
  await expect.poll(() => next("/api/chart")).toBeGreaterThan(0);
  const [chart = 0, overview = 0] = [next("/api/chart"), next("/api/overview")];
  return {
    afterAnswer_ms: chart - answered,
    afterOthers_ms: chart - overview,
    /** How often another question was asked meanwhile. */
    others: asked.slice(before).filter(({ path }) => path === "/api/overview").length,
  };
}

test.each([
  ["have the event", 0],
  ["are behind it", 1],
])(
  "a slow chart is requested less often than events come, and others, whose answers %s, once for each",
  { tags: "chromium" },
  async (_, behind) => {
    // A minute of work would be a rest of ten minutes.
    const { afterAnswer_ms, others } = await slowCharts({ took_ms: 60_000, way_ms: 0, behind });
    expect(afterAnswer_ms).toBeGreaterThan(9_900);
    expect(others).toBe(1);
  },
);

test("a chart that was only long on its way is asked for with the next event", {
  tags: "chromium",
}, async () => {
  const { afterOthers_ms } = await slowCharts({ took_ms: 1, way_ms: 2_000 });
  expect(afterOthers_ms).toBeLessThan(8_000);
});

test.each(["statuses", "phases", "costs", "closings", "dones", "dones_by_agent"] as const)(
  "the chart of %s reads its date range only, not the whole history",
  async (name) => {
    const { project, now } = await projectWith(WORK);
    onTestFinished(() => project.close());
    await project.queries.learnings();
    const { readModel } = project.store;
    const end = now / 1_000;
    const days = [{ day: "2026-02-11", after: 10, upto: 14, start: end - 86_400_000, end }];
    const { sql } = chart(readModel, name, days, now);
    const plan = readModel.database
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail);
    expect(plan.filter((step) => /^SCAN (c|s|t|a)\b/.test(step))).toEqual([]);
    expect(plan.filter((step) => /^SEARCH (c|s|t) .*(position|rowid)>\?/.test(step))).toHaveLength(1);
  },
);

test("what became of done is there for each agent and model, beside its days", {
  tags: "chromium",
}, async () => {
  const { panel } = await panelOf([
    ...WORK.slice(0, 4),
    [4 * DAY, runBy("s-1", "opus", "o-1")],
    ...WORK.slice(6, 7),
    ...WORK.slice(8, 9),
    [30, starts("s-2", 2)],
    [29, says("s-2", 2, "Signals are set")],
    [28, worked(["left_behind"], { task: 2, session: "s-2" })],
    [27, ends("s-2")],
  ]);
  const { page, seen } = await openPage(panel, "/charts?days=7", AT_NOON);
  const rows = page.getByRole("region", { name: "Done by agent and model" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(3);
  expect((await rows.allInnerTexts()).slice(1)).toEqual([
    "opus\to-1\t1\t1\t0\t0\t0\t0",
    "–\t–\t1\t0\t0\t1\t0\t0",
  ]);
  const chart = page.getByRole("region", { name: "What became of done", exact: true });
  await chart.getByText("refused by evidence 1").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("link", { name: "90 days" }).click();
  await page.goto(new URL("/charts?until=2020-01-01", page.url()).href);
  await page.getByText("By agent and model: no session closed with done").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("the cost line has no value on a day without a session, and says what it leaves out", {
  tags: "chromium",
}, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts", AT_NOON);
  const chart = page.getByRole("region", { name: "Sessions and cost", exact: true });
  await chart.getByText("cost – (cost unknown: 1)").waitFor();
  const { rows } = await ask(page, "costs", AT_NOON.timezoneId);
  expect(rows.filter(({ sessions }) => sessions === 0).map(({ cost_usd }) => cost_usd)).toContain(null);
  expect(rows.filter(({ sessions, cost_usd }) => sessions === 0 && cost_usd !== null)).toEqual([]);
  expect(seen).toEqual(CLEAN);
});

test("a window without events says so, and leads to the days up to the last one", {
  tags: "chromium",
}, async () => {
  const { panel } = await panelOf(WORK.slice(0, 12).map(([minutes, event]) => [minutes + 100 * DAY, event]));
  const { page, seen } = await openPage(panel, "/charts", UTC);
  await page.getByText("No events in these 30 days; the last event was on ").waitFor();
  await page.getByRole("link", { name: "Show the days up to it" }).click();
  await page.getByText("No events in these").waitFor({ state: "detached" });
  const until = new URL(page.url()).searchParams.get("until");
  const chart = page.getByRole("region", { name: "Closing verbs", exact: true });
  await chart.getByRole("button", { name: "Show table" }).click();
  await chart.getByRole("row", { name: `${dayInWords(until ?? "")} 0 0 0 0 1 0` }).waitFor();
  await page.getByRole("link", { name: "Show up to today" }).click();
  await page.getByText("No events in these").waitFor();
  await page.goto(`http://127.0.0.1:${panel.port}/charts?until=soon`);
  await page.getByRole("alert").getByText('"soon" is not a date. Use a date such as 2026-02-11.').waitFor();
  expect(seen).toEqual(CLEAN);
});

test("the open parts of each chart are in the address", { tags: "chromium" }, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts", UTC);
  const [flow, verbs] = ["Cumulative flow", "Closing verbs"].map((name) =>
    page.getByRole("region", { name, exact: true }),
  );
  await flow?.getByRole("button", { name: "Show table" }).click();
  await verbs?.getByRole("button", { name: "How is this counted?" }).click();
  await page.waitForURL(/table=statuses&how=closings/);
  await page.reload();
  await flow?.getByRole("table").waitFor();
  await verbs?.locator(".how-counted").waitFor();
  await expect.poll(() => page.locator(".chart-table:not(.is-short)").count()).toBe(1);
  await expect.poll(() => page.locator(".how-counted").count()).toBe(1);
  expect(seen).toEqual(CLEAN);
});

test("a chart is redrawn when the system switches from light to dark", { tags: "chromium" }, async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/charts", { ...UTC, colorScheme: "light" });
  const canvas = page.getByRole("region", { name: "Cumulative flow", exact: true }).locator("canvas");
  await canvas.waitFor();
  const drawn = () =>
    page.evaluate("document.querySelector('[aria-label=\"Cumulative flow\"] canvas')?.toDataURL()");
  const before = await drawn();
  await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(drawn).not.toBe(before);
  expect(seen).toEqual(CLEAN);
});
