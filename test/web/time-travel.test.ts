// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { initProject, openProject, type Project } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { addLearning } from "../../src/operations/learnings.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshFolder } from "../support/project.ts";
import { anotherPage, freshPanel, isLive, openPage, routeOpened, useBrowser } from "./support/browser.ts";
import { givenEveryKind } from "./support/given-inbox.ts";

useBrowser();

/** Two events of the project's beginning, then a task, then a learning with each number. */
async function givenLearnings(project: Project, count: number): Promise<void> {
  await project.decide(createTask({ title: "Lay the points" }));
  for (let nth = 1; nth <= count; nth++) {
    await project.decide(addLearning({ text: `${WORDS[nth % WORDS.length]} ${nth}`, source: "human" }));
  }
}

/** Events for one append, where a test needs a long log. */
function manyLearnings(count: number) {
  return Array.from({ length: count }, (_, nth) => ({
    type: "learning.added" as const,
    actor: "human",
    payload: {
      text: `${nth} ${"abcdefgh"[nth % 8]}${nth * 7} ${"stuvwxyz"[nth % 7]}${nth * 13}`,
      source: "human" as const,
      kind: "discovery" as const,
    },
  }));
}

/** A project of yesterday, whose clock can be set forward. */
async function projectWithClock() {
  const folder = freshFolder();
  const system = systemEnvironment();
  let ahead_us = -86_400_000_000;
  const environment = { ...system, now: () => system.now() + ahead_us };
  await initProject(folder, { environment });
  const project = await openProject(folder, { environment });
  onTestFinished(() => project.close());
  const skip = (us: number) => {
    ahead_us += us;
  };
  return { project, clock: { skip } };
}

const WORDS = ["Amber shows late", "Points freeze at night", "Wires hum", "Lamps need oil", "Levers stick"];
const banner = (page: Page, position: number) =>
  page.getByText(`Viewing the project at #${position.toLocaleString("en")}`);
const shown = (page: Page, text: string) => page.getByRole("main").getByText(text, { exact: true });
const slider = (page: Page) => page.getByRole("slider", { name: "Position in the log" });
const openBar = (page: Page) => page.getByRole("button", { name: "Time bar: now" }).click();

test("a link shows the same position in every view, for everyone", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, context, seen } = await openPage(panel, "/learnings?at=4");
  await banner(page, 4).waitFor();
  await shown(page, "Points freeze at night 1").waitFor();
  await expect.poll(() => page.locator(".learning-row").count()).toBe(1);
  await page.getByRole("link", { name: "Log" }).click();
  await shown(page, "#4").waitFor();
  expect(await shown(page, "#5").count()).toBe(0);
  const other = await anotherPage(context, panel, new URL(page.url()).pathname + new URL(page.url()).search);
  await banner(other.page, 4).waitFor();
  await shown(other.page, "#4").waitFor();
  expect(await shown(other.page, "#5").count()).toBe(0);
  expect([seen, other.seen]).toEqual([
    { faults: [], strangers: [] },
    { faults: [], strangers: [] },
  ]);
});

test("the slider moves by single events, tens, hundredths and to the ends, and announces its position", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 30);
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, "/learnings");
  await isLive(page);
  await page.keyboard.press("t");
  for (const [key, position] of [
    ["ArrowLeft", head - 1],
    ["Shift+ArrowLeft", head - 11],
    ["ArrowRight", head - 10],
    ["PageDown", head - 11],
    ["Home", 0],
    ["Shift+ArrowRight", 10],
    ["PageUp", 11],
  ] as const) {
    await page.keyboard.press(key);
    await banner(page, position).waitFor();
  }
  await page.waitForURL(/at=11$/);
  await page.getByTitle("learning.added · project · Learned: Lamps need oil 8").waitFor();
  await expect
    .poll(() => slider(page).getAttribute("aria-valuetext"))
    .toBe("position 11, learning.added · project · Learned: Lamps need oil 8");
  await page.keyboard.press("End");
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  await expect.poll(() => page.url()).not.toContain("at=");
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("dragging the slider moves every view along, and asks once a frame at most", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 40);
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByText("Lamps need oil 38").first().waitFor();
  await isLive(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/learnings")) asked.push(request.url());
  });
  await openBar(page);
  const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
  await page.mouse.up();
  await page.getByText("Viewing the project at").waitFor();
  const position = Number(await slider(page).inputValue());
  expect(position).toBeGreaterThan(15);
  expect(position).toBeLessThan(28);
  await page
    .getByText(` ${position - 3}`, { exact: false })
    .first()
    .waitFor();
  await expect.poll(() => page.getByText(/ 38$/).count()).toBe(0);
  asked.length = 0;
  // What a hand on a fast mouse gives within one frame.
  await page.evaluate(`{
    const input = document.querySelector("input[type=range]");
    for (let at = 40; at >= 5; at--) {
      input.value = at;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }`);
  await banner(page, 5).waitFor();
  await shown(page, "Wires hum 2").waitFor();
  expect(asked.map((url) => new URL(url).searchParams.get("at"))).toEqual(["5"]);
  // The bar is drawn anew before the next frame, with the position of before.
  await page.evaluate(`{
    const input = document.querySelector("input[type=range]");
    input.blur();
    input.value = 7;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  }`);
  await banner(page, 7).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the header shows the present, and one key leads back to it", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, seen } = await openPage(panel, "/learnings?at=5");
  await page.getByText("2 events ago").or(page.getByText("1 event ago")).first().waitFor();
  await project.decide(addLearning({ text: "Said meanwhile", source: "human" }));
  const head = await project.log.head();
  await page.getByText(`live · last event #${head}`).waitFor();
  await page.getByText(`${head - 5} events ago`).waitFor();
  expect(await page.getByText("Said meanwhile").count()).toBe(0);
  await page.keyboard.press("L");
  await shown(page, "Said meanwhile").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a position that is not there yet is the last one there is, with a sentence", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 2);
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, "/learnings?at=48211");
  await page.getByText("#48,211 does not exist yet.").waitFor();
  await banner(page, head).waitFor();
  await page.waitForURL(new RegExp(`at=${head}$`));
  await shown(page, "Wires hum 2").waitFor();
  await page.getByLabel("Position", { exact: true }).fill("#3");
  await page.keyboard.press("Enter");
  await banner(page, 3).waitFor();
  await expect.poll(() => page.getByText("does not exist").count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the changes of the event at the position are outlined, and the log begins with it", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, seen } = await openPage(panel, "/learnings?at=5");
  await page.locator("[data-changed]").getByText("Wires hum 2").waitFor();
  await expect.poll(() => page.locator("[data-changed]").count()).toBe(1);
  await page.getByRole("link", { name: "Log" }).click();
  await page.locator("[data-changed]").getByText("Wires hum 2").waitFor();
  await slider(page).focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator("[data-changed]").getByText("Points freeze at night 1").waitFor();
  await page.keyboard.press("L");
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  await expect.poll(() => page.locator("[data-changed]").count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the text recorded at the position is outlined on board, sessions, timeline and inbox", async () => {
  const project = await givenEveryKind();
  const events = await project.log.read(0, 500);
  const asked = events.find(({ type }) => type === "signal.ask");
  if (asked?.type !== "signal.ask") throw new Error("A question is among what waits.");
  const { position, payload } = asked;
  const [question = ""] = payload.question.split("\n");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, `/board?at=${position}`);
  const outlined = page.getByRole("main").locator("[data-changed]");
  for (const [path, name] of [
    ["/board", `#${payload.task} `],
    ["/sessions", payload.session],
    [`/tasks/${payload.task}`, question],
    ["/inbox", question],
  ] as const) {
    await page.goto(new URL(`${path}?at=${position}`, page.url()).href);
    await outlined.filter({ hasText: name }).waitFor();
    await expect.poll(() => outlined.count(), { message: path }).toBe(1);
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("comma and point go from mark to mark", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 5);
  const head = await project.log.head();
  await project.decide(createTask({ title: "Set the signals" }));
  const { page, seen } = await openPage(panel, `/learnings?at=${head}`);
  await banner(page, head).waitFor();
  await isLive(page);
  await page.keyboard.press(",");
  await banner(page, 3).waitFor();
  await page.getByRole("button", { name: "Next mark" }).click();
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  await page.goBack();
  await banner(page, 3).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("from a link's position one can go before the end of the log is known", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 5);
  await project.decide(createTask({ title: "Set the signals" }));
  const head = await project.log.head();
  const { page, seen } = await openPage(panel);
  await routeOpened(page, "**/api/stream*", () => {});
  await page.goto(new URL(`/learnings?at=${head - 1}`, page.url()).href);
  await banner(page, head - 1).waitFor();
  await page.keyboard.press(",");
  await banner(page, 3).waitFor();
  await page.keyboard.press(".");
  await banner(page, head).waitFor();
  await page.keyboard.press("t");
  await page.keyboard.press("ArrowLeft");
  await banner(page, head - 1).waitFor();
  await page.keyboard.press("ArrowRight");
  await banner(page, head).waitFor();
  await page.getByLabel("Position", { exact: true }).fill(String(head));
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("button", { name: "Play" }).isDisabled()).toBe(true);
  await expect
    .poll(() => page.getByRole("link", { name: "Compare with now" }).getAttribute("href"))
    .toBe(`/compare?at=${head}`);
  await page.getByRole("button", { name: "Back to now" }).click();
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a range is zoomed into by dragging and by key, stays in the address, and all comes back", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 60);
  const { page, seen } = await openPage(panel, "/log");
  await isLive(page);
  await openBar(page);
  const box = (await page.locator(".sparkline").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width * 0.25, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 5, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/range=1[4-8]-4[4-9]/);
  await page.reload();
  await openBar(page);
  await page.getByRole("button", { name: "All" }).waitFor();
  const width = async () =>
    Number(await slider(page).getAttribute("max")) - Number(await slider(page).getAttribute("min"));
  await expect.poll(() => width()).toBeLessThan(35);
  await page.getByRole("button", { name: "Zoom out" }).click();
  await page.getByRole("button", { name: "All" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "All" }).waitFor();
  await page.keyboard.press("-");
  await page.getByRole("button", { name: "All" }).waitFor({ state: "detached" });
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "All" }).click();
  await page.getByRole("button", { name: "All" }).waitFor({ state: "detached" });
  await expect.poll(() => width()).toBe(await project.log.head());
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("playback runs through the log to the present and skips idle time; a manual step stops it", async () => {
  const { clock, project } = await projectWithClock();
  await project.log.append(manyLearnings(1_000));
  clock.skip(3 * 3_600_000_000);
  await project.decide(addLearning({ text: "Said after the night", source: "human" }));
  const { panel } = await freshPanel({ project });
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, `/learnings?at=${head - 1}`);
  await banner(page, head - 1).waitFor();
  await isLive(page);
  // It is shown for a moment only, which a look from outside may miss.
  const skips = page.evaluate(`new Promise((resolve) => {
    const look = () => document.body.innerText.includes("skipping 3 h without events") && resolve();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  })`);
  await page.getByRole("button", { name: "Play" }).click();
  await skips;
  await shown(page, "Said after the night").waitFor();
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.getByLabel("Speed").selectOption("50/s");
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByText("Viewing the project at").waitFor();
  await page.keyboard.press("t");
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Play" }).waitFor();
  await banner(page, 0).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("playback reaches the present even while the log grows", async () => {
  const { panel, project } = await freshPanel();
  await project.log.append(manyLearnings(300));
  const head = await project.log.head();
  // Six seconds long.
  const { page, seen } = await openPage(panel, `/learnings?at=${head - 300}`);
  await isLive(page);
  await page.getByLabel("Speed").selectOption("50/s");
  await Promise.all([
    page.getByRole("button", { name: "Pause" }).waitFor(),
    page.getByRole("button", { name: "Play" }).click(),
  ]);
  await project.decide(addLearning({ text: "Said meanwhile", source: "human" }));
  await page.getByText("Viewing the project at").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Play" }).waitFor();
  await shown(page, "Said meanwhile").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("two positions are compared in a table, with the events between", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 2);
  await project.decide(setTaskStatus({ task: 1, status: "skipped" }));
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, "/log?at=4");
  await banner(page, 4).waitFor();
  await isLive(page);
  await page.getByRole("link", { name: "Compare with now" }).click();
  await page.waitForURL(`**/compare?at=4&to=${head}`);
  const status = page.getByRole("row").filter({ hasText: "pending" });
  await status.getByText("skipped").waitFor();
  await expect
    .poll(() => status.getByRole("link", { name: `#${head}` }).getAttribute("href"))
    .toBe(`/log?event=${head}`);
  await expect.poll(() => page.getByRole("row").filter({ hasText: "Wires hum 2" }).count()).toBe(1);
  await expect.poll(() => page.getByRole("row").filter({ hasText: "Points freeze" }).count()).toBe(0);
  await page.getByLabel("A", { exact: true }).fill("3");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "Points freeze" }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("on a phone the bar is one line that opens as a sheet", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, seen } = await openPage(panel, "/learnings?at=5", { viewport: { width: 390, height: 800 } });
  const fold = page.getByRole("button", { name: "Time bar: #5" });
  await fold.waitFor();
  await page.getByRole("button", { name: "Back 1 event" }).click();
  await banner(page, 4).waitFor();
  for (const name of ["Back 1 event", "Next mark", "Play"]) {
    const { height } = (await page.getByRole("button", { name }).boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThanOrEqual(48);
  }
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  // What the bar takes is not laid over the view: its list ends above.
  const [view, bar] = await Promise.all(
    [page.getByRole("main"), page.getByRole("region", { name: "Time travel" })].map((part) =>
      part.boundingBox(),
    ),
  );
  expect((view?.y ?? 0) + (view?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
  await page.keyboard.press("Escape");
  await page.getByRole("slider").waitFor({ state: "hidden" });
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("for a long log the page shows the reading progress, and stays usable in the present", async () => {
  const { panel, project } = await freshPanel();
  await project.log.append(manyLearnings(8_000));
  await project.queries.learnings();
  const { page, seen } = await openPage(panel, "/learnings?at=8000");
  await page.getByText(/reading 8,000 events: \d+%/).waitFor();
  await project.decide(addLearning({ text: "Said meanwhile", source: "human" }));
  await page.getByText(`live · last event #${(await project.log.head()).toLocaleString("en")}`).waitFor();
  await page.getByText("7,998", { exact: true }).waitFor();
  await expect.poll(() => page.getByText(/reading/).count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("marks are a list for the keyboard, each a link to its position", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 5);
  await project.decide(setTaskStatus({ task: 1, status: "skipped" }));
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByText(`live · last event #${head}`).waitFor();
  await openBar(page);
  await page.getByRole("button", { name: "Marks" }).press("Enter");
  const list = page.getByRole("dialog", { name: "Marks near this position" });
  await list.getByRole("link", { name: `#${head} human acted` }).waitFor();
  await expect.poll(() => list.getByRole("link").count()).toBe(2);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await banner(page, 3).waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("of many nights only the longest are marked on the bar", async () => {
  const { clock, project } = await projectWithClock();
  for (let night = 1; night <= 40; night++) {
    clock.skip(night * 6 * 60_000_000);
    await project.log.append(manyLearnings(1));
  }
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/log");
  await openBar(page);
  await page.locator(".sparkline .idle").first().waitFor();
  await expect.poll(() => page.locator(".sparkline .idle").count()).toBe(3);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the slider moves board, sessions, timeline and log along", async () => {
  const { panel, project } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const before = await project.log.head();
  await project.decide(createTask({ title: "Set the signals" }));
  await project.log.append([
    { type: "session.started", actor: "driver", payload: { session: "s-1", task: 2, forced: false } },
    {
      type: "signal.flag",
      actor: "agent",
      payload: { task: 2, session: "s-1", what: "Wires hum", severity: "info", category: "bug" },
    },
  ]);
  const head = await project.log.head();
  const { page, seen } = await openPage(panel);
  for (const [path, text, at] of [
    ["/board", "Set the signals", before],
    ["/sessions", "Set the signals", before],
    ["/tasks/2", "Wires hum", head - 1],
    ["/log", "Wires hum", before],
  ] as const) {
    await page.goto(`http://127.0.0.1:${panel.port}${path}`);
    const said = page.getByRole("main").getByText(text).first();
    await said.waitFor();
    await openBar(page);
    await slider(page).fill(String(at));
    await banner(page, at).waitFor();
    await said.waitFor({ state: "detached" });
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});
