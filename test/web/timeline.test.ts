import { expect } from "vitest";
import { addComment } from "../../src/decisions/comments.ts";
import { answerQuestion } from "../../src/decisions/inbox.ts";
import type { Project } from "../../src/project.ts";
import { end, freshTask, say, start } from "./support/agent.ts";
import { browserTest, freshPanel, openPage, useBrowser } from "./support/browser.ts";

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
  const asked = await say(project, first, "ask", {
    question: "Which date format?",
    blocking: true,
    options: ["2026-11-21", "21.11.2026"],
    preferred: "2026-11-21",
  });
  await say(project, first, "partial", { summary: "Writer and header row.", remaining: "The dates." });
  await end(project, "s-1");
  const late = await say(project, first, "flag", {
    what: "An empty order has no row.",
    severity: "warning",
    category: "bug",
  });
  await project.decide(answerQuestion({ id: asked, answer: "2026-11-21" }));
  await project.decide(addComment({ task, author: "Ada", body: "Mind the *time zone*." }));
  await start(project, task, "s-2");
  await say(project, { task, session: "s-2" }, "suggest", {
    what: "Stream the export",
    kind: "new_task",
    why: "It is long.",
  });
  return { task, learned, asked, late };
}

browserTest(
  "people's comments and agents' signals stand in one stream, by sessions with what they came to",
  async () => {
    const { project, panel } = await freshPanel();
    const { task, asked } = await taskWithHistory(project);
    const { page, seen } = await openPage(panel, `/tasks/${task}`);
    await page.getByRole("article", { name: /^Suggest/ }).waitFor();
    const head = page.getByRole("button", { name: "session s-1" });
    expect(await head.getAttribute("aria-expanded")).toBe("false");
    expect(await page.getByRole("article").count()).toBe(3);
    await page.getByText("partial", { exact: true }).waitFor();
    await head.click();
    const ask = page.getByRole("article", { name: `Ask, #${asked}` });
    await ask.getByText("Answered by human").waitFor();
    await ask.getByText("preferred").waitFor();
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);
