// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { barriersOn } from "./support/axe.ts";
import { anotherPage, freshPanel, openPage, routeOpened, useBrowser } from "./support/browser.ts";
import { does, ends, notices, projectWith, says, starts, task, used, type Work } from "./support/work.ts";

useBrowser();

const CLEAN = { faults: [], strangers: [] };

/** A session that went back and forth and was done, one that failed without a word, one that runs. */
const WORK: Work = [
  [300, task(1, "Lay the points")],
  [300, task(2, "Set the <b>signals</b>\u202e")],
  [300, task(3, "Oil the levers")],
  [200, starts("s-1", 1)],
  [199.99, does("s-1", "analyzing")],
  [190, does("s-1", "implementing")],
  [180, does("s-1", "testing")],
  [175, does("s-1", "implementing")],
  [170, does("s-1", "testing")],
  [165, does("s-1", "reviewing")],
  [162, says("s-1", 1, "Points are laid")],
  [161, used("s-1", 0.61, 12)],
  [160, ends("s-1")],
  [100, starts("s-2", 2)],
  [95, does("s-2", "analyzing")],
  [90, does("s-2", "implementing")],
  [88, notices("s-2", 2, "The first wire is loose")],
  [86, notices("s-2", 2, "The second wire is loose")],
  [84, notices("s-2", 2, "The third wire is loose")],
  [82, notices("s-2", 2, "The fourth wire is loose")],
  [80, ends("s-2", "crashed")],
  [20, starts("s-3", 3)],
  [18, does("s-3", "analyzing")],
  [9, does("s-3", "implementing")],
];

async function panelOf(work: Work) {
  const { project } = await projectWith(work);
  onTestFinished(() => project.close());
  return freshPanel({ project });
}

const rowOf = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title }).first();

test("a row shows phase, task, loops, cost and the last signal, running sessions first", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions");
  const rows = page.getByRole("region", { name: /^Sessions, running/ }).locator("> ul > li");
  await rows.nth(2).getByText("Points are laid").waitFor();
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  expect(texts[0]).toMatch(/^implementing (9|10):\d\d in this phase #3 Oil the levers/);
  expect(texts[0]).toContain("– unknown cost");
  expect(texts[1]).toContain("failure 20:00 from start to end #2 Set the <b>signals</b>\\u{202e}");
  expect(texts[2]).toContain("implementing ⇄ testing × 1");
  expect(texts[2]).toContain("$0.61 cost 12 turns Done Points are laid");
  await page
    .getByText("3 sessions · 1 running · $0.61 total (unknown for 2 sessions)", { exact: true })
    .waitFor();
  expect(await barriersOn(page)).toEqual([]);
  expect(seen).toEqual(CLEAN);
});

test("the time in a phase ticks and its segment grows between events", async () => {
  const { panel } = await panelOf(WORK);
  const { page } = await openPage(panel, "/sessions?running=yes");
  const row = rowOf(page, "Oil the levers");
  const time = row.locator(".session-time");
  const segment = row.getByRole("link", { name: /^implementing/ });
  const [before, width] = [await time.innerText(), (await segment.boundingBox())?.width ?? 0];
  await expect.poll(() => time.innerText()).not.toBe(before);
  await expect.poll(async () => (await segment.boundingBox())?.width).toBeGreaterThan(width);
});

test("very short steps merge, and each segment shows its phase, times and positions", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions");
  const bar = page.getByRole("list", { name: "Phases of session s-1" });
  await bar.getByRole("link", { name: /^1 short step, from #\d+$/ }).hover();
  await page.getByRole("tooltip").getByText("1 short step").waitFor();
  // The bar is one stop of the Tab key, its last phase; arrows go on from there.
  await bar.getByRole("link", { name: /^reviewing/ }).focus();
  await page.getByRole("tooltip").getByText("is out of order").waitFor();
  await page.keyboard.press("ArrowLeft");
  const told = () => page.getByRole("tooltip").innerText();
  await expect.poll(told).toMatch(/testing 5:00/);
  expect(await told()).toMatch(/#\d+ to #\d+/);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("tooltip").count()).toBe(0);
  expect(seen).toEqual(CLEAN);
});

test("an irregular step is marked, and the mark says by which rule", async () => {
  const { panel } = await panelOf(WORK);
  const { page } = await openPage(panel, "/sessions");
  await rowOf(page, "Lay the points").getByRole("button", { name: "irregular" }).focus();
  await page
    .getByRole("tooltip")
    .getByText("testing → reviewing is out of order. Any order is accepted")
    .waitFor();
});

test("a failed row says where it got stuck and why, and offers the last three signals", async () => {
  const { panel } = await panelOf(WORK);
  const { page } = await openPage(panel, "/sessions");
  const line = rowOf(page, "Set the").getByRole("button", {
    name: "stuck in implementing: session ended without closing signal",
  });
  await line.focus();
  const told = page.getByRole("tooltip");
  for (const wire of ["fourth", "third", "second"])
    await told.getByText(`The ${wire} wire is loose`).waitFor();
  expect(await told.innerText()).not.toContain("The first wire is loose");
});

test("filters are in the address, and going back reverts them", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions");
  await page.getByLabel("Outcome").selectOption("failure");
  await page.getByText("1 session · 0 running").waitFor();
  await expect.poll(() => page.url()).toContain("outcome=failure");
  await page.getByRole("button", { name: "running" }).click();
  await page.getByText("No sessions match: running, outcome failure.").waitFor();
  await page.goBack();
  await page.getByText("1 session · 0 running").waitFor();
  await page.getByLabel("Task", { exact: true }).fill("no number");
  await page.getByLabel("Task", { exact: true }).fill("1");
  await page.getByText("No sessions match: outcome failure, task #1.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("3 sessions · 1 running").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("an invalid filter is named, with the valid ones", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions?outcome=sucess");
  await page
    .getByRole("alert")
    .getByText("“outcome=sucess” is not a valid filter: use one of success, partial")
    .waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("3 sessions").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("a selected session shows its states, signals, agent, workspace and prompt", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions");
  await page.getByRole("link", { name: /Lay the points/ }).click();
  const side = page.getByRole("complementary", { name: "Session s-1" });
  await side.getByText("success · closed with done").waitFor();
  for (const title of [/^Phases 8/, /^Signals 1/, /^Proof/, /^Agent/, /^Workspace/, /^Prompt/])
    await side.getByRole("heading", { name: title }).waitFor();
  await side.getByText("Points are laid").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await side.waitFor({ state: "detached" });
  expect(seen).toEqual(CLEAN);
});

test("what its agent was refused is in the session's details, and an act's channel in the event's", async () => {
  const refused = { session: "s-1", task: 1, command: "gate act 1 1 skip" };
  const { panel } = await panelOf([
    ...WORK,
    [7, { type: "session.act_refused", actor: "agent", payload: refused }],
    [6, { ...task(4, "By hand"), via: { channel: "terminal", tty: "pts/3", program: "bash" } }],
  ]);
  const { page, seen } = await openPage(panel, "/sessions?session=s-1");
  const side = page.getByRole("complementary", { name: "Session s-1" });
  await side.getByRole("heading", { name: /^Refused 1/ }).waitFor();
  await side.getByText("gate act 1 1 skip").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  const last = 2 + WORK.length + 2;
  await page.goto(new URL(`/log?event=${last}`, page.url()).href);
  await page.getByRole("link", { name: /By hand · terminal pts\/3, bash/ }).waitFor();
  await page.getByText("channel", { exact: true }).waitFor();
  expect(seen).toEqual(CLEAN);
});

test("another session's content is never under the heading of the one that is selected", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions?session=s-1");
  await page.getByText("Points are laid").last().waitFor();
  await rowOf(page, "Oil the levers").waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await routeOpened(page, /api\/session\?session=s-2/, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press("k");
  const side = page.getByRole("complementary", { name: "Session s-2" });
  await side.waitFor();
  expect(await side.innerText()).not.toContain("Points are laid");
  release();
  await side.getByText("The first wire is loose").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("an id that no session has is answered with a sentence", async () => {
  const { panel } = await panelOf(WORK);
  const { page } = await openPage(panel, "/sessions?session=s-99");
  await page.getByRole("alert").getByText("There is no session s-99 at #").waitFor();
  await page.getByText("3 sessions").waitFor();
});

test("in the past a session that has ended since is shown as running, and its time does not tick", async () => {
  const { project, panel } = await panelOf(WORK);
  const events = await project.log.read(0, 100);
  const at = events.find(({ type }) => type === "signal.done")?.position;
  const { page, seen } = await openPage(panel, `/sessions?at=${at}&session=s-1`);
  await page.getByText("1 session · 1 running · cost unknown").waitFor();
  const states = page.getByRole("complementary", { name: "Session s-1" }).locator(".session-states li");
  await states.filter({ hasText: "reviewing" }).getByText("3:00", { exact: true }).waitFor();
  const row = rowOf(page, "Lay the points");
  await expect.poll(() => row.locator(".session-time").innerText()).toMatch(/^3:00/);
  await expect.poll(() => row.innerText()).toContain("reviewing");
  await page.getByRole("link", { name: "Back to now" }).click();
  await page.getByText("3 sessions · 1 running").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("the cause of a cancelled session is on every page that shows it", async () => {
  const { project, panel } = await panelOf(WORK);
  const { page, context, seen } = await openPage(panel, "/sessions");
  const other = await anotherPage(context, panel, "/sessions?session=s-3");
  await other.page
    .getByRole("complementary", { name: "Session s-3" })
    .getByText("implementing")
    .first()
    .waitFor();
  await project.log.append([ends("s-3", "timed_out")]);
  await rowOf(page, "Oil the levers").getByText("timeout in implementing").waitFor();
  await other.page.getByText("timeout · closed with stuck, inferred").waitFor();
  expect([seen, other.seen]).toEqual([CLEAN, CLEAN]);
});

test("of thousands of sessions only the visible ones are in the page, and the last one can be reached", async () => {
  const { project, panel } = await panelOf([[300, task(1, "Lay the points")]]);
  await project.log.append(
    Array.from({ length: 2_000 }, (_, nth) => [starts(`n-${nth}`, 1), ends(`n-${nth}`, "cancelled")]).flat(),
  );
  const { page, seen } = await openPage(panel, "/sessions");
  await page.getByText("2,000 sessions · 0 running").waitFor();
  await page.getByRole("link", { name: /session n-1999$/ }).waitFor();
  expect(await page.locator(".session-row").count()).toBeLessThan(60);
  await page.getByRole("region", { name: /^Sessions, running/ }).focus();
  await page.keyboard.press("End");
  await page.getByRole("link", { name: /session n-0$/ }).waitFor();
  // A link to one far below shows it, and keys go on from it.
  await page.goto(`http://127.0.0.1:${panel.port}/sessions?session=n-5`);
  const selected = page.locator('.session-row[aria-current="true"]');
  await selected.getByRole("link", { name: /session n-5$/ }).waitFor();
  await page.keyboard.press("j");
  await selected.getByRole("link", { name: /session n-4$/ }).waitFor();
  expect(seen).toEqual(CLEAN);
});

test("the time axis is correct before the sessions load, and stays", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await routeOpened(page, /api\/sessions\?/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("link", { name: "Sessions" }).click();
  const axis = page.locator(".session-head .session-bar");
  await axis.waitFor();
  expect((await axis.innerText()).split(/\s+/)).toEqual(["0", "20:00", "40:00"]);
  release();
  await page.getByRole("link", { name: /Oil the levers/ }).waitFor();
  expect((await axis.innerText()).split(/\s+/)).toEqual(["0", "20:00", "40:00"]);
  expect(seen).toEqual(CLEAN);
});

test("the pane begins with where it got stuck, how often it went back and its irregular steps", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions?session=s-2", {
    viewport: { width: 390, height: 800 },
  });
  const pane = page.getByRole("complementary");
  await pane.getByText("stuck in implementing: session ended without closing signal").waitFor();
  await page.goto(`http://127.0.0.1:${panel.port}/sessions?session=s-1`);
  await pane.getByText("implementing ⇄ testing × 1").waitFor();
  await pane.getByText("! 1 irregular step, marked below").waitFor();
  expect(seen).toEqual(CLEAN);
});

test("a position links to its event; only marked links lead into the past", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions?session=s-1");
  const side = page.getByRole("complementary", { name: "Session s-1" });
  const testing = side.locator(".session-states li").filter({ hasText: "testing" }).first();
  const [, position] = /#(\d+)/.exec(await testing.innerText()) ?? [];
  await testing.getByRole("link", { name: `#${position}`, exact: true }).click();
  await page.waitForURL(`**/log?event=${position}`);
  await page.goBack();
  await page
    .getByRole("list", { name: "Phases of session s-1" })
    .getByRole("link", { name: /^reviewing/ })
    .click();
  await page.waitForURL(/\/log\?event=\d+$/);
  await page.goBack();
  await testing.getByRole("link", { name: `View the project at #${position}` }).click();
  await page.getByText(`Viewing the project at #${position}`).waitFor();
  await side.getByRole("heading", { name: "Phases 4" }).waitFor();
  expect(seen).toEqual(CLEAN);
});

test("an empty project says how to start a session", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel, "/sessions");
  await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
  expect(seen).toEqual(CLEAN);
});

test("on a phone a session is a separate page, with a way back", async () => {
  const { panel } = await panelOf(WORK);
  const { page, seen } = await openPage(panel, "/sessions", { viewport: { width: 390, height: 800 } });
  await page.getByRole("link", { name: /Oil the levers/ }).click();
  const list = page.getByRole("region", { name: "Sessions", exact: true });
  await list.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "‹ Sessions" }).click();
  await list.waitFor();
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  expect(seen).toEqual(CLEAN);
});
