// @module-tag chromium
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { pauseWork } from "../../src/operations/work.ts";
import { anotherPage, freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("a view that failed to render is rendered again on request, and at once after navigating", async () => {
  const { panel, project } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const { page } = await openPage(panel, "/log");
  const row = page.getByRole("link", { name: /Lay the points/ }).first();
  await row.waitFor();
  await page.route("**/api/board?*", async (route) => {
    const answered = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answered, answer: { broken: true } } });
  });
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "Board" }).click();
  await page.getByRole("main").getByText("This view could not be shown").waitFor();
  await views.getByRole("link", { name: "Log" }).click();
  await row.waitFor();
  await views.getByRole("link", { name: "Board" }).click();
  await page.unroute("**/api/board?*");
  await project.decide(createTask({ title: "Oil the points" }));
  const task = page.getByRole("link", { name: "Oil the points" });
  await expect
    .poll(
      async () => {
        if ((await task.count()) > 0) return true;
        await page
          .getByRole("button", { name: "Try again" })
          .click({ timeout: 1_000 })
          .catch(() => {});
        return false;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
});

test("an unknown view in the address is reported, with a list of all views", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel, "/nowhere%E2%80%AE");
  await page.getByRole("heading", { name: /^There is no view \/nowhere/ }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Learnings" }).click();
  await page.getByRole("heading", { name: "No learnings yet" }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("while work is paused every view says by whom and why, and resumes it", async () => {
  const { panel, project } = await freshPanel();
  const { page, seen } = await openPage(panel, "/log");
  await isLive(page);
  await project.decide(pauseWork({ reason: "a new schema" }));
  const bar = page.getByRole("region", { name: "Loop" });
  await bar.getByText("‖ paused by human: a new schema").waitFor();
  await bar.getByRole("button", { name: "Resume" }).click();
  await bar.getByRole("button", { name: "Pause" }).waitFor();
  expect(await project.queries.workPause()).toBeUndefined();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("an invalid position is reported, and the present is shown", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel, "/board?at=abc");
  await page.getByText("“abc” is not a valid position in the log. Viewing the present.").waitFor();
  await page.getByRole("link", { name: "Remove it from the address" }).click();
  await expect.poll(() => page.url()).not.toContain("at=");
  await expect.poll(() => page.getByText("is not a valid position").count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("if the page that has the stream hangs, another one says so and takes over", async () => {
  const { panel, project } = await freshPanel();
  const { page, context } = await openPage(panel);
  await isLive(page);
  const { page: other } = await anotherPage(context, panel);
  await other.clock.install();
  await other.reload();
  await isLive(other);
  const debug = await context.newCDPSession(page);
  await debug.send("Page.setWebLifecycleState", { state: "frozen" });
  await other.route("**/api/stream*", (route) => route.abort());
  await other.clock.fastForward(36_000);
  await other.getByText("reconnecting, last event #").waitFor();
  await other.unroute("**/api/stream*");
  await expect
    .poll(
      async () => {
        await other.clock.fastForward(4_000);
        return other.getByText(/^live · last event #/).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await project.decide(createTask({ title: "Lay the points" }));
  await other.getByRole("link", { name: "Lay the points" }).waitFor();
  await debug.send("Page.setWebLifecycleState", { state: "active" });
  await page.getByRole("link", { name: "Lay the points" }).waitFor();
});

test("while events come without a pause, an answer that takes long comes all the same", async () => {
  const { panel, project } = await freshPanel();
  const { page } = await openPage(panel);
  await isLive(page);
  await page.route("**/api/board?*", async (route) => {
    await pause(400);
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  const first = page.getByRole("link", { name: "Task 1", exact: true });
  let isShown = false;
  for (let nth = 1; nth <= 150 && !isShown; nth++) {
    await project.decide(createTask({ title: `Task ${nth}` }));
    await pause(90);
    isShown = (await first.count()) > 0;
  }
  expect(isShown).toBe(true);
});

test("a removed log is reported, with the remedy", async () => {
  const { panel, project } = await freshPanel();
  const { page } = await openPage(panel);
  await isLive(page);
  rmSync(logPathBeside(project.store.readModel.database.name));
  await page.reload();
  const banner = page.locator(".banner").getByText(/was moved away, removed or replaced/);
  await banner.waitFor();
  await expect.poll(() => page.getByText(/^live/).count()).toBe(0);
});

test("an error that quotes others' text makes invisible characters visible", async () => {
  const { panel } = await freshPanel();
  const { page } = await openPage(panel);
  const message = "There is no \u202egnp.exe\u0007.";
  await page.route("**/api/learnings?*", (route) =>
    route.fulfill({ status: 404, json: { error: { code: "not_found", message } } }),
  );
  await page.goto(new URL("/learnings", panel.address).href);
  await page.getByText("There is no \\u{202e}gnp.exe\\u{7}.").first().waitFor();
});
