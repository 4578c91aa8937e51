// @module-tag chromium
import { expect, test } from "vitest";
import { redact } from "../../src/history/redaction/redact.ts";
import { addComment } from "../../src/operations/comments.ts";
import { freshProject } from "../support/project.ts";
import { freshTask } from "./support/agent.ts";
import { anotherPage, freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

const SECRET = "sk-live-7f3a9c0d";

test("a redacted text disappears from every open page, in the present and in the past", async () => {
  const { project, db } = await freshProject();
  const { panel } = await freshPanel({ project });
  const task = await freshTask(project, { title: "Export orders" });
  await project.decide(addComment({ task, author: "Ada", body: `The key is ${SECRET}.` }));
  const position = await project.log.head();
  // The log's first page is full: what stands on it is not asked for again with each new event.
  for (let nth = position; nth < 230; nth++)
    await project.decide(addComment({ task, author: "Ada", body: `Say ${nth}.` }));
  const { page: log, context, seen } = await openPage(panel, `/log?event=${position}`);
  const others = [
    await anotherPage(context, panel, `/tasks/${task}#e${position}`),
    await anotherPage(context, panel, `/board?at=${position}`),
    await anotherPage(context, panel, `/log?text=the key&at=${position + 5}`),
    await anotherPage(context, panel, "/log?text=the key"),
  ];
  const pages = [log, ...others.map(({ page }) => page)];
  const texts = (page: typeof log) => page.locator("body").innerText();
  for (const page of pages) await expect.poll(() => texts(page)).toContain(SECRET);
  await log.getByRole("link", { name: new RegExp(SECRET) }).waitFor();
  await redact(project.store, db, { position, reason: "a live key" }, { actor: "human", wait_ms: 5_000 });
  for (const page of pages) {
    await expect.poll(() => texts(page)).not.toContain(SECRET);
  }
  await log.getByRole("link", { name: /\[redacted\]/ }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});
