// @module-tag chromium
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { end, freshTask, say, start } from "./support/agent.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

/** The names of headings, links, buttons and choices that have a UUID, without JSON as it is; to be run in the page. */
const RAW = `[...document.querySelectorAll("h1, h2, h3, a, button, option, [aria-label]")]
  .filter((one) => !one.closest(".json"))
  .map((one) => one.ariaLabel ?? one.textContent)
  .filter((text) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(text))`;

test("no heading, link, button or choice has a raw UUID for its name, and the whole id can be copied", async () => {
  const { project, panel } = await freshPanel();
  const [first, second] = [`s-${v7()}`, v7()];
  const task = await freshTask(project, { title: "Export orders" });
  await start(project, task, first);
  const of = { task, session: first };
  const learned = await say(project, of, "learned", { text: "Amounts are cents.", kind: "convention" });
  const asked = await say(project, of, "ask", { question: "Which zone?", blocking: true });
  await end(project, first);
  await start(project, task, second);
  const { page, seen } = await openPage(panel, "/board");
  for (const [path, text] of [
    [`/board?task=${task}`, `Session ${second.slice(-8)}`],
    ["/inbox", `session ${first.slice(-8)}`],
    [`/tasks/${task}`, `session ${first.slice(-8)}`],
    [`/log?event=${asked}`, first.slice(-8)],
    [`/learnings?learning=${learned}`, `task #${task}, #${learned}`],
    [`/sessions?session=${second}`, `Session 2 of #${task}`],
  ] as const) {
    await page.goto(new URL(path, page.url()).href);
    await page.getByText(text).first().waitFor({ state: "attached" });
    expect(await page.evaluate(RAW), path).toEqual([]);
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy id" }).click();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(second);
  expect(seen).toEqual({ faults: [], strangers: [] });
});
