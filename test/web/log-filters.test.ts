// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { redact } from "../../src/history/redaction/redact.ts";
import { addComment } from "../../src/operations/comments.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { freshTask } from "./support/agent.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

/** A task and twenty comments, which are the last events of the log. */
async function twentyComments(project: Project) {
  const task = await freshTask(project, { title: "Lay the points" });
  for (let nth = 1; nth <= 20; nth++)
    await project.decide(addComment({ task, author: "Ada", body: `Say ${nth}.` }));
  return { task, head: await project.log.head() };
}

const positions = async (page: Page) =>
  (await page.locator(".log-row .position").allInnerTexts()).map((text) => Number(text.replace(/\D/g, "")));

const from = (first: number, last: number) =>
  Array.from({ length: Math.abs(last - first) + 1 }, (_, nth) => first + Math.sign(last - first) * nth);

async function setBound(page: Page, name: string, value: string) {
  const field = page.getByRole("searchbox", { name, exact: true });
  await field.fill(value);
  await field.press("Enter");
}

test("the log is bounded by positions and turned around, and the address keeps both", async () => {
  const { project, panel } = await freshPanel();
  const { head } = await twentyComments(project);
  const { page, seen } = await openPage(panel, "/log");
  await page.getByText("Range and order").click();
  await setBound(page, "From", String(head - 9));
  await page.getByText("10 found").waitFor();
  await setBound(page, "To", String(head - 5));
  await expect.poll(() => positions(page)).toEqual(from(head - 5, head - 9));
  await page.getByLabel("Order").selectOption("oldest first");
  await expect.poll(() => positions(page)).toEqual(from(head - 9, head - 5));
  await setBound(page, "After", String(head - 7));
  await expect.poll(() => positions(page)).toEqual(from(head - 6, head - 5));
  await page.reload();
  await expect.poll(() => positions(page)).toEqual(from(head - 6, head - 5));
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    from: String(head - 9),
    to: String(head - 5),
    after: String(head - 7),
    order: "oldest_first",
  });
  const download = await page.getByRole("link", { name: "Download as JSONL" }).getAttribute("href");
  expect(download).toContain(`from=${head - 6}&to=${head - 5}`);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect.poll(async () => (await positions(page))[0]).toBe(head);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("oldest first, new events come at the end of the list, with and without a filter", async () => {
  const { project, panel, origin } = await freshPanel();
  await freshTask(project, { title: "Lay the points" });
  const { page, seen } = await openPage(panel, "/log?order=oldest_first");
  await page.locator(".log-row", { hasText: "Lay the points" }).waitFor();
  for (const query of ["", "&type=task.created"]) {
    await page.goto(`${origin}/log?order=oldest_first${query}`);
    await page.locator(".log-row", { hasText: "Lay the points" }).waitFor();
    await project.decide(createTask({ title: `Set the signals${query}` }));
    await page.locator(".log-row", { hasText: `Set the signals${query}` }).waitFor();
    const shown = await positions(page);
    expect(shown).toEqual(shown.toSorted((one, other) => one - other));
    expect(shown.at(-1)).toBe(await project.log.head());
  }
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the log is bounded by times as people write them, and goes on with what comes", async () => {
  const { project, panel, origin } = await freshPanel();
  const { task, head } = await twentyComments(project);
  const { recordedAt } = (await project.log.read(head - 4, 1))[0] ?? { recordedAt: "" };
  const { page, seen } = await openPage(panel, `/log?since=${recordedAt}`);
  await page.getByText("4 found").waitFor();
  await project.decide(addComment({ task, author: "Ada", body: "One more." }));
  await page.getByText("5 found").waitFor();
  await page.goto(`${origin}/log?until=${recordedAt}&type=comment`);
  await page.getByText("17 found").waitFor();
  await page.goto(`${origin}/log?since=2 hours ago&type=comment`);
  await page.getByText("21 found").waitFor();
  await page.goto(`${origin}/log?until=yesterday`);
  await page.getByText("No events match these filters.").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test.each([
  ["since=soon", "Since", '"soon" is not a time. It must be a date or a time'],
  ["until=2026-13-01", "Until", '"2026-13-01" is not a time.'],
  ["from=0", "From", '"0" is not a position. It must be a whole number, 1 or higher.'],
  ["after=x", "After", '"x" is not a position. It must be a whole number, 0 or higher.'],
  ["from=9&to=4", "To", "The first position, 9, is after the last, 4. The range is empty"],
  ["since=2026-02-02&until=2026-02-01", "Until", "The range is empty: name the earlier one first."],
])("a bound that is none is refused at its field: %s", async (query, name, message) => {
  const { project, panel } = await freshPanel();
  await twentyComments(project);
  const { page, seen } = await openPage(panel, `/log?${query}`);
  const field = page.getByRole("searchbox", { name, exact: true });
  const told = page.getByRole("alert").filter({ hasText: message });
  await told.waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await field.getAttribute("aria-describedby")).toBe(await told.getAttribute("id"));
  expect(await page.locator(".log-row").count()).toBe(0);
  await field.fill("");
  await field.press("Enter");
  await expect.poll(() => told.count()).toBe(0);
  await page.locator(".log-row").first().waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("several types can be chosen, and each be taken away again", async () => {
  const { project, panel } = await freshPanel();
  await twentyComments(project);
  await project.decide(createTask({ title: "Set the signals" }));
  const { page, seen } = await openPage(panel, "/log");
  const type = page.getByRole("combobox", { name: "Type" });
  await type.selectOption("task.created");
  await page.getByText("2 found").waitFor();
  await type.selectOption("comment");
  await page.getByText("22 found").waitFor();
  expect(new URL(page.url()).searchParams.get("type")).toBe("task.created,comment");
  await page.getByRole("button", { name: "Remove type task.created" }).click();
  await page.getByText("20 found").waitFor();
  await page.goto(new URL("/log?type=comment,nonsense", page.url()).href);
  await page.getByText("there is no such event type").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a long search goes on where it stopped, in either order", async () => {
  const { project, panel } = await freshPanel();
  const { head } = await twentyComments(project);
  const cookie = await cookieOf(panel);
  const first = { newest_first: { from: head, after: 3 }, oldest_first: { from: head, after: 3 } };
  for (const order of ["newest_first", "oldest_first"] as const) {
    const found: number[] = [];
    let range: { from: number; after: number } | undefined = first[order];
    while (range) {
      const path = `/api/log_find?limit=7&order=${order}&from=${range.from}&after=${range.after}`;
      const { answer } = JSON.parse((await ask(panel, path, { headers: { cookie } })).body);
      found.push(...answer.lines.map(({ position }: { position: number }) => position));
      const { next } = answer as { next: number | null };
      if (next === null) range = undefined;
      else range = { ...range, [order === "newest_first" ? "from" : "after"]: next };
    }
    expect(found).toEqual(order === "newest_first" ? from(head, 4) : from(4, head));
  }
});

test("a redaction is linked to what it redacted", async () => {
  const { project, db } = await freshProject();
  const { panel } = await freshPanel({ project });
  const { head } = await twentyComments(project);
  await redact(
    project.store,
    db,
    { position: head, reason: "a live key" },
    { actor: "human", wait_ms: 5_000 },
  );
  const { page, seen } = await openPage(panel, `/log?event=${head + 1}`);
  const event = page.getByRole("complementary", { name: "Event" });
  await event.getByRole("link", { name: `#${head}`, exact: true }).click();
  await event.getByText("comment.added").waitFor();
  expect(new URL(page.url()).searchParams.get("event")).toBe(String(head));
  expect(seen).toEqual({ faults: [], strangers: [] });
});

/** The words of the first row that are cut away, outside it, or over others. */
const BADLY_SET = `(() => {
  const line = document.querySelector(".log-line");
  const row = line.getBoundingClientRect();
  const words = [...line.querySelectorAll(".log-row > span, .log-of > a")]
    .filter((part) => part.textContent)
    .map((part) => [part.textContent, part.getBoundingClientRect()]);
  const isOut = (at) => at.width < 24 || at.left < row.left || at.right > row.right || at.bottom > row.bottom;
  const isOver = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return words.flatMap(([text, at], nth) => [
    ...(isOut(at) ? [text] : []),
    ...words.slice(nth + 1).filter(([, other]) => isOver(at, other)).map(([over]) => text + " / " + over),
  ]);
})()`;

test.each([390, 360])(
  "at %i pixels each word of a row is inside it and none covers another",
  async (width) => {
    const { project, panel } = await freshPanel();
    await twentyComments(project);
    const { page, seen } = await openPage(panel, "/log", { viewport: { width, height: 844 } });
    await page.locator(".log-row", { hasText: "Say 20." }).waitFor();
    expect(await page.evaluate(BADLY_SET)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);
