// @module-tag chromium
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { end, freshTask, say, start } from "./support/agent.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

/** A session of its own task, which ends as its name says. */
async function ended(project: Project, outcome: string): Promise<number> {
  const task = await freshTask(project, { title: `Ends as ${outcome}` });
  const from = { task, session: `s-${outcome}` };
  await start(project, task, from.session);
  if (outcome === "success") await say(project, from, "done", { summary: "All of it." });
  if (outcome === "partial") await say(project, from, "partial", { summary: "Half.", remaining: "Half." });
  const exit = outcome === "timeout" ? "timed_out" : outcome === "cancelled" ? "cancelled" : "exited";
  await end(project, from.session, exit);
  return task;
}

test.each(["success", "partial", "failure", "timeout", "cancelled"])(
  "a session that ended as %s has the outcome's sign wherever it is shown, and no phase's",
  async (outcome) => {
    const { project, panel, origin } = await freshPanel();
    const task = await ended(project, outcome);
    const { page, seen } = await openPage(panel, `/sessions?session=s-${outcome}`);
    const signs = page.locator(`.outcome-${outcome}`).filter({ hasText: outcome });
    await page.locator(".session-row").locator(signs).waitFor();
    await page.getByRole("complementary").locator(signs).nth(1).waitFor();
    expect(await page.locator(".phase-done, .phase-failed").count()).toBe(0);
    await page.goto(`${origin}/tasks/${task}`);
    await page.locator(".timeline-session").locator(signs).waitFor();
    expect(await page.locator(".phase-done, .phase-failed").count()).toBe(0);
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);
