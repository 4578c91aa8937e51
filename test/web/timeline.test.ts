import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { addComment } from "../../src/operations/comments.ts";
import { actOnGate, recordGateAttempt } from "../../src/operations/gates.ts";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { end, freshTask, say, start } from "./support/agent.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { anotherPage, freshPanel, isLive, openPage, routeOpened, useBrowser } from "./support/browser.ts";
import { atRest, watchFrames } from "./support/frames.ts";
import { learnedOf } from "./support/happens.ts";

useBrowser();

/** A task with a session that is over, words of a human, and a session that runs. */
async function taskWithHistory(project: Project) {
  const task = await freshTask(project, { title: "Export orders as CSV" });
  const first = { task, session: "s-1" };
  await start(project, task, "s-1");
  const learned = await say(project, first, "learned", {
    text: "Amounts are **cents**.",
    kind: "convention",
    rationale: "The schema says so.",
    scope: "project",
  });
  const ask = await say(project, first, "ask", {
    question: "Which date format?",
    blocking: true,
    options: ["2026-11-21", "21.11.2026"],
    preferred: "2026-11-21",
  });
  const partial = await say(project, first, "partial", {
    summary: "Writer and head.",
    remaining: "The dates.",
  });
  await end(project, "s-1");
  const late = await say(project, first, "flag", {
    what: "An empty order has no row.",
    severity: "warning",
    category: "bug",
  });
  await project.decide(answerQuestion({ id: ask, answer: "2026-11-21" }));
  await project.decide(addComment({ task, author: "Ada", body: "Mind the *time zone*." }));
  await start(project, task, "s-2");
  const last = await say(project, { task, session: "s-2" }, "suggest", {
    what: "Stream the export",
    kind: "new_task",
    why: "It is long.",
  });
  return { task, learned, ask, partial, late, last };
}

/** Many learnings of one session that runs. */
async function sayMany(
  project: Project,
  task: number,
  session: string,
  count: number,
  from = 0,
): Promise<void> {
  const events = learnedOf(
    { task, session },
    Array.from(
      { length: count },
      (_, nth) => `Learning ${from + nth}.\n\n${"More. ".repeat((nth % 7) * 20)}`,
    ),
  );
  for (let first = 0; first < count; first += 500) await project.log.append(events.slice(first, first + 500));
}

const cardNamed = (page: Page, name: string | RegExp) => page.getByRole("article", { name });
const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(":focus"));

test("people's comments and agents' signals are in one timeline, by session with its outcome", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task, ask, late } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  await cardNamed(page, /^Suggest/).waitFor();
  const head = page.getByRole("button", { name: "session s-1" });
  await expect.poll(() => head.getAttribute("aria-expanded")).toBe("false");
  await expect.poll(() => page.getByRole("article").count()).toBe(6);
  await page.getByText("partial", { exact: true }).waitFor();
  await cardNamed(page, `Flag, #${late}`).getByText("late: does not change the task").waitFor();
  await cardNamed(page, /^Comment/)
    .getByText("time zone")
    .waitFor();
  await head.click();
  const card = cardNamed(page, `Ask, #${ask}`);
  await card.getByText("Answered by human").waitFor();
  await expect
    .poll(() => card.getByRole("listitem").allInnerTexts())
    .toEqual([expect.stringMatching(/2026-11-21\s*preferred\s*chosen/), "21.11.2026"]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the history has gate runs, acts, sessions and changes with their rules, and on top why the task failed", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const gates = [{ command: "npm test", max: 2, timeout_s: 60 }];
  const task = await freshTask(project, { title: "Export orders as CSV", gates });
  await start(project, task, "s-1");
  const phase = { type: "session.state_reported", payload: { session: "s-1", state: "analyzing" } } as const;
  await project.log.append([{ ...phase, actor: "agent" }]);
  const analyzing = await project.log.head();
  await say(project, { task, session: "s-1" }, "done", { summary: "It works." });
  for (const stderr of ["first failure", "second failure"])
    await project.decide(recordGateAttempt({ task, gate: 1, exit_code: 1, stderr }));
  await end(project, "s-1");
  await project.decide(actOnGate({ task, gate: 1, action: "abort" }));
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  await page.getByText("Failed: gate 1 exited 1 twice; a person aborted it").waitFor();
  const ended = cardNamed(page, /^Session/).filter({ hasText: "Session ended" });
  await ended.getByText("A gate is escalated: the task waits for a human.").waitFor();
  const act = cardNamed(page, /^Act/).filter({ hasText: "Gate 1: abort" });
  await act.getByText("Needs input → Failed").waitFor();
  await act.getByRole("link", { name: `#${await project.log.head()}`, exact: true }).waitFor();
  const run = cardNamed(page, /^Gate run/).last();
  expect(await run.getByText("second failure").count()).toBe(0);
  await run.getByText("Output of gate 1").click();
  await run.getByText("second failure").waitFor();
  await cardNamed(page, /^Done/).getByText("Unverified: the done did not count").waitFor();
  expect(await page.getByText("was not run").count()).toBe(0);
  expect(await cardNamed(page, /^Phase/).count()).toBe(0);
  await page.getByRole("button", { name: "phases 1" }).click();
  await cardNamed(page, `Phase, #${analyzing}`).waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(1);
  await page.goto(new URL("/sessions?session=s-1", page.url()).href);
  const pane = page.getByRole("complementary", { name: "Session s-1" });
  await expect.poll(() => pane.getByText("Output of gate 1").count()).toBe(2);
  await pane.getByText("Output of gate 1").last().click();
  await pane.getByText("second failure").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a link to a card shows it, opens its session, and gives it the focus", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task, ask, partial } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}#e${ask}`);
  const card = cardNamed(page, `Ask, #${ask}`);
  await card.waitFor();
  await expect.poll(() => hasFocus(card)).toBe(true);
  await expect
    .poll(() =>
      card.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle),
    )
    .toBe("solid");
  await cardNamed(page, `Partial, #${partial}`).getByRole("link", { name: "Link to this card" }).click();
  await expect.poll(() => page.url()).toContain(`#e${partial}`);
  await expect.poll(() => hasFocus(cardNamed(page, `Partial, #${partial}`))).toBe(true);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("keys go from card to card and from session to session, and the address follows", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task, ask, learned, last } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}#e${learned}`);
  await expect.poll(() => hasFocus(cardNamed(page, `Learned, #${learned}`))).toBe(true);
  await page.keyboard.press("n");
  await expect.poll(() => hasFocus(cardNamed(page, `Ask, #${ask}`))).toBe(true);
  await expect.poll(() => page.url()).toContain(`#e${ask}`);
  await page.keyboard.press("p");
  await expect.poll(() => hasFocus(cardNamed(page, `Learned, #${learned}`))).toBe(true);
  await page.keyboard.press("]");
  await expect.poll(() => hasFocus(page.getByRole("button", { name: "session s-2" }))).toBe(true);
  await page.keyboard.press("n");
  await expect.poll(() => hasFocus(cardNamed(page, /^Session/).last())).toBe(true);
  await page.keyboard.press("n");
  await expect.poll(() => hasFocus(cardNamed(page, `Suggest, #${last}`))).toBe(true);
  await page.keyboard.press("[");
  await page.keyboard.press("[");
  await expect.poll(() => hasFocus(page.getByRole("button", { name: "session s-1" }))).toBe(true);
  await page.keyboard.press("c");
  await expect.poll(() => hasFocus(page.getByRole("textbox", { name: "Comment on task" }))).toBe(true);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a late answer about a card's place does not pull back a reader who moved on by keys", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task, learned, last } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}#e${learned}`);
  await expect.poll(() => hasFocus(cardNamed(page, `Learned, #${learned}`))).toBe(true);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await routeOpened(page, "**/api/card_index?*", async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press("]");
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await expect.poll(() => page.url()).toContain(`#e${last}`);
  await page.keyboard.press("[");
  await expect.poll(() => hasFocus(page.getByRole("button", { name: "session s-2" }))).toBe(true);
  const answered = page.waitForResponse(/card_index/);
  release();
  await (await answered).finished();
  // The page takes it in.
  await atRest(() => hasFocus(page.getByRole("button", { name: "session s-2" })));
  await page.keyboard.press("[");
  await expect.poll(() => hasFocus(page.getByRole("button", { name: "session s-1" }))).toBe(true);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("filters show their number of matches, are in the address, and one key clears them", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  await page.getByRole("button", { name: "all 11" }).waitFor();
  await page.getByRole("button", { name: "ask 1" }).click();
  await page.getByText("1 of 11").waitFor();
  await page.getByRole("button", { name: "learned 1" }).click();
  await page.getByText("2 of 11").waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(2);
  await page.reload();
  await page.getByText("2 of 11").waitFor();
  await page.goBack();
  await page.getByText("1 of 11").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "human 3" }).click();
  await page.getByText("3 of 11").waitFor();
  await cardNamed(page, /^Comment/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "late 1" }).click();
  await cardNamed(page, /^Flag/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Session" }).selectOption("s-1");
  await page.getByText("6 of 11").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("TIME zone");
  await page.getByText("1 of 11").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("text")).toBe("TIME zone");
  await page.getByRole("searchbox").fill("nobody said this");
  await page.getByText("No cards match").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a comment is kept while it is written, sent by Ctrl-Enter, and on every open page", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task } = await taskWithHistory(project);
  const { page, context, seen } = await openPage(panel, `/tasks/${task}`);
  const other = await anotherPage(context, panel, `/tasks/${task}`);
  const field = page.getByRole("textbox", { name: `Comment on task ${task}` });
  await page.getByText(`Goes into the next prompt of task ${task}.`).waitFor();
  await field.fill("Also test **unicode** names.");
  await page.reload();
  await page.getByText(`Goes into the next prompt of task ${task}.`).waitFor();
  await expect.poll(() => field.inputValue()).toBe("Also test **unicode** names.");
  await field.press("Control+Enter");
  for (const one of [page, other.page]) {
    await one.getByRole("button", { name: "human 4" }).waitFor();
    await one.getByRole("article").filter({ hasText: "Also test unicode names." }).waitFor();
  }
  await expect.poll(() => field.inputValue()).toBe("");
  expect((await project.queries.comments(task)).at(-1)).toMatchObject({ author: "human", actor: "human" });
  expect(seen).toEqual({ faults: [], strangers: [] });
  expect(other.seen).toEqual({ faults: [], strangers: [] });
});

test("a comment whose answer was lost is sent again and recorded once", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Once" });
  const { page } = await openPage(panel, `/tasks/${task}`);
  let isLost = false;
  await routeOpened(page, "**/api/acts/comment", async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  const field = page.getByRole("textbox", { name: `Comment on task ${task}` });
  await field.fill("Only once.");
  await field.press("Control+Enter");
  await page.getByRole("alert").waitFor();
  await expect.poll(() => field.inputValue()).toBe("Only once.");
  await field.press("Control+Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await expect.poll(() => project.queries.comments(task)).toHaveLength(1);
});

test("new cards while someone reads further up move nothing, and are announced", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Read" });
  await start(project, task, "s-1");
  await sayMany(project, task, "s-1", 60);
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  await page.locator("main").getByText("Learning 59.").waitFor();
  const list = page.getByRole("region", { name: "Timeline" });
  await list.hover();
  await page.mouse.wheel(0, -2_000);
  await expect.poll(() => page.locator("main").getByText("Learning 59.").count()).toBe(0);
  const place = () =>
    list.evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const inSight = [...box.querySelectorAll("article")].find(
        (one) => one.getBoundingClientRect().top >= top,
      );
      return [inSight?.id, (inSight?.getBoundingClientRect().top ?? 0) - top];
    });
  await expect.poll(async () => (await page.locator(".is-awaited").count()) === 0).toBe(true);
  const before = await atRest(place);
  await sayMany(project, task, "s-1", 3, 60);
  await page.getByRole("button", { name: "↓ 3 new" }).waitFor();
  expect(await place()).toEqual(before);
  await page.getByRole("button", { name: "↓ 3 new" }).click();
  await cardNamed(page, /Learned/)
    .getByText("Learning 62.")
    .waitFor();
  await expect.poll(() => page.getByRole("button", { name: /new$/ }).count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("of 10,000 cards only the visible ones are in the page, newest first, any one reachable by its link", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Long" });
  await start(project, task, "s-1");
  await sayMany(project, task, "s-1", 10_000);
  const { page, context, seen } = await openPage(panel, `/tasks/${task}`);
  await page.locator("main").getByText("Learning 9999.").waitFor();
  expect(await page.getByRole("article").count()).toBeLessThan(60);
  const other = await anotherPage(context, panel, `/tasks/${task}#e5002`);
  await expect.poll(() => hasFocus(cardNamed(other.page, "Learned, #5002"))).toBe(true);
  expect(await other.page.getByRole("article").count()).toBeLessThan(60);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the past shows its timeline, read-only", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await freshPanel();
  const { task, ask } = await taskWithHistory(project);
  const { page, seen } = await openPage(panel, `/tasks/${task}?at=${ask}`);
  await page.getByRole("button", { name: "all 4" }).waitFor();
  await cardNamed(page, /^Ask/).getByText("session still running").waitFor();
  await page.getByRole("textbox", { name: "Comment on task" }).fill("Too late.");
  await expect.poll(() => page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
  await cardNamed(page, /^Ask/).getByText("You are viewing the past").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a task without sessions, an unknown one, and a position that is not a card are reported as such", {
  tags: "chromium",
}, async () => {
  const { project, panel, origin } = await freshPanel();
  const { task, ask } = await taskWithHistory(project);
  const silent = await freshTask(project, { title: "Silent" });
  const { page, seen } = await openPage(panel, `/tasks/${silent}`);
  await cardNamed(page, /^Act/).getByText("Created: Silent").waitFor();
  await page.goto(`${origin}/tasks/${task}?by=human#e${ask}`);
  await page.getByRole("link", { name: "Show it" }).click();
  await expect.poll(() => hasFocus(cardNamed(page, `Ask, #${ask}`))).toBe(true);
  await page.goto(`${origin}/tasks/${task}#e1`);
  await page.getByText(`#1 is not a card of task ${task}.`).waitFor();
  await page.goto(`${origin}/tasks/seven`);
  await page.getByText("“seven” is not a task number").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
  await page.goto(`${origin}/tasks/999`);
  await page.getByText("There is no task 999").waitFor();
});

test("while somebody moves in time no card in sight is empty", { tags: "chromium" }, async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Export orders as CSV" });
  await start(project, task, "s-1");
  await sayMany(project, task, "s-1", 80);
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  await cardNamed(page, /Learned/)
    .getByText("Learning 79.")
    .waitFor();
  await isLive(page);
  const look = await watchFrames(
    page,
    "!document.querySelector('article') || document.querySelector('.is-awaited')",
  );
  await page.keyboard.press("t");
  for (const back of [1, 2, 3, 4, 5]) {
    await page.keyboard.press("ArrowLeft");
    await page.getByText(`Viewing the project at #${head - back}`).waitFor();
  }
  await cardNamed(page, /Learned/)
    .getByText("Learning 74.")
    .waitFor();
  await expect
    .poll(() =>
      cardNamed(page, /Learned/)
        .getByText("Learning 75.")
        .count(),
    )
    .toBe(0);
  const { wrong, frames } = await look();
  expect(frames).toBeGreaterThan(5);
  expect(wrong).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("in the past a session and its cards are as old as they were then", { tags: "chromium" }, async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Export orders as CSV" });
  await start(project, task, "s-1");
  const flagged = { what: "An empty order has no row.", severity: "warning", category: "bug" };
  await say(project, { task, session: "s-1" }, "flag", flagged);
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  const tenDays = 10 * 86_400_000;
  await page.clock.setFixedTime(Date.now() + tenDays);
  await page.reload();
  const head = page.locator(".timeline-session");
  const card = cardNamed(page, /Flag/);
  await expect.poll(() => head.innerText()).toMatch(/· (9|10) d/);
  await expect.poll(() => card.innerText()).toMatch(/(9|10) days ago/);
  await page.goto(`${page.url()}?at=${await project.log.head()}`);
  await expect.poll(() => head.innerText()).toMatch(/· \d+ s/);
  await expect.poll(() => card.innerText()).toMatch(/\d+ s ago/);
  await expect.poll(() => page.locator(".header").innerText()).toMatch(/(9|10) days ago/);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("for a position that is not a card the nearest ones are shown, on either side", async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Export orders as CSV" });
  const created = await project.log.head();
  const write = (body: string) => project.decide(addComment({ task, author: "Ada", body }));
  await write("first");
  const first = await project.log.head();
  for (const title of ["A", "B", "C", "D"]) await freshTask(project, { title });
  await write("last");
  const last = await project.log.head();
  const cookie = await cookieOf(panel);
  const nearest = async (position: number) => {
    const { body } = await ask(panel, `/api/card_index?task=${task}&position=${position}`, {
      headers: { cookie },
    });
    return JSON.parse(body).answer;
  };
  expect(await nearest(created - 1)).toEqual({ index: null, isCard: false, nearest: created });
  expect(await nearest(first + 1)).toEqual({ index: null, isCard: false, nearest: first });
  expect(await nearest(last - 1)).toEqual({ index: null, isCard: false, nearest: last });
  expect(await nearest(last + 50)).toEqual({ index: null, isCard: false, nearest: last });
  expect(await nearest(last)).toEqual({ index: 2, isCard: true, nearest: last });
});
