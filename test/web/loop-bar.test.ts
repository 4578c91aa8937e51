// @module-tag chromium
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { beat } from "../../src/loop/drivers/registry.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { startProcess } from "../children.ts";
import { statuses } from "../loop/given-loop.ts";
import { freshProject, givenConfig, writeConfig } from "../support/project.ts";
import { freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";
import { endsLoops } from "./support/started-loops.ts";

useBrowser();

/** `signalbox serve` as a process of its own. */
async function served(db: string) {
  const options = ["serve", "--json", "--port", "0", "--db", db];
  const child = startProcess(process.execPath, [packagePath("bin/signalbox.js"), ...options]);
  const panel: { address: string; addresses: string[]; port: number } = JSON.parse(await child.says());
  const origin = `http://127.0.0.1:${panel.port}`;
  return { ...panel, origin, local: origin, close: () => child.kill() };
}

test("a loop that was started from the page goes on without the server, and is stopped from the page of the next one", async () => {
  const { project, folder, db } = await freshProject();
  givenConfig(folder, { agent: "pretend", jobs: 2, budget: { usd: 5 } });
  endsLoops(db);
  await project.decide(createTask({ title: "Lay the points" }));
  const first = await served(db);
  const { page, seen } = await openPage(first, "/log");
  const bar = page.getByRole("region", { name: "Loop" });
  await bar.getByText("■ stopped · no loop has run yet").waitFor();
  await bar.getByText("pretend · today – · budget $5.00").waitFor();
  await expect.poll(() => bar.getByLabel("Jobs in parallel").inputValue()).toBe("2");
  await bar.getByLabel("Jobs in parallel").selectOption("3");
  await bar.getByRole("button", { name: "Start" }).dblclick();
  await bar.getByText("▶ running · 1 of 3 sessions").waitFor();
  await first.close();
  await project.decide(createTask({ title: "Oil the points" }));
  await expect.poll(() => statuses(project), { timeout: 60_000 }).toEqual({ 1: "done", 2: "done" });
  expect(await project.queries.runningLoops()).toMatchObject([{ agent: "pretend", jobs: 3 }]);
  expect(seen.strangers).toEqual([]);

  const { page: next, seen: seenNext } = await openPage(await served(db), "/inbox");
  const nextBar = next.getByRole("region", { name: "Loop" });
  await nextBar.getByText("◇ waiting for a task to become ready").waitFor();
  await nextBar.getByText("pretend · today $0.00 · $5.00 of $5.00 left").waitFor();
  await nextBar.getByRole("button", { name: /^Stop loop/ }).click();
  await nextBar.getByText("■ stopped · human asked it to stop").waitFor();
  await nextBar.getByRole("button", { name: "Start" }).waitFor();
  expect(seenNext).toEqual({ faults: [], strangers: [] });
}, 180_000);

test("an untrusted configuration disables the start with the command that mends it, and a failed start says why", async () => {
  const { project, folder, db } = await freshProject();
  const config = { agent: "pretend", relay: { group: "no-such-group" } };
  writeConfig(folder, JSON.stringify(config));
  endsLoops(db);
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/board", { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Loop …" }).click();
  const sheet = page.getByRole("dialog", { name: "Loop" });
  const start = sheet.getByRole("button", { name: "Start" });
  await sheet.getByText("signalbox config trust").waitFor();
  expect(await start.getAttribute("aria-disabled")).toBe("true");
  expect(await start.getAttribute("aria-description")).toContain("`signalbox config trust`");
  givenConfig(folder, config);
  await expect.poll(() => start.getAttribute("aria-disabled"), { timeout: 15_000 }).toBeNull();
  await start.click();
  const alert = page.getByRole("alert");
  await alert.getByText(/^The loop could not start: .*no-such-group.*\.ralph\/loops\/d-/).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await alert.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => alert.count()).toBe(0);
  await page.setViewportSize({ width: 1_280, height: 800 });
  const bar = page.getByRole("region", { name: "Loop" });
  const refuse = { status: 409, json: { error: { code: "refused", message: "The disk is full." } } };
  await page.route("**/api/acts/start_loop", (route) => route.fulfill(refuse));
  for (let time = 0; time < 2; time++) {
    await bar.getByRole("button", { name: "Start" }).click();
    await alert.getByText("The disk is full.").waitFor();
    await alert.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => alert.count()).toBe(0);
  }
  await bar.getByRole("button", { name: "Start" }).click();
  await alert.getByText("The disk is full.").waitFor();
  await bar.getByRole("button", { name: "Pause" }).click();
  await bar.getByRole("button", { name: "Resume" }).waitFor();
  expect(await alert.count()).toBe(0);
});

test("the bar tells loops apart, pauses with a reason and shows the state of then", async () => {
  const { project, db } = await freshProject();
  const started = (driver: string) => ({
    type: "loop.started" as const,
    payload: { driver, agent: "claude", jobs: 2 },
    actor: "driver",
  });
  await project.log.append([started("d-1"), started("d-2")]);
  const before = await project.log.head();
  for (const driver of ["d-1", "d-2"]) beat(db, driver, process.pid);
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/charts");
  await isLive(page);
  const bar = page.getByRole("region", { name: "Loop" });
  await bar.getByText("2 loops: 2 waiting").waitFor();
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(40);
  await bar.getByRole("button", { name: "Stop …" }).click();
  const sheet = page.getByRole("dialog", { name: "Loop" });
  await sheet.getByLabel("Reason").fill("a new schema");
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await bar.locator("button:focus", { hasText: "Loop …" }).press("Enter");
  await expect.poll(() => sheet.getByLabel("Reason").inputValue()).toBe("a new schema");
  await sheet.getByRole("button", { name: "Pause" }).click();
  await sheet.getByText("by human: a new schema. No loop starts a session.").waitFor();
  await sheet.getByRole("button", { name: "Stop loop d-2" }).click();
  await sheet.getByText("▣ stopping · asked by human").waitFor();
  await page.keyboard.press("Escape");
  await bar.getByText("‖ paused by human: a new schema").waitFor();
  await bar.getByRole("button", { name: "Resume" }).click();
  await bar.getByRole("button", { name: "Pause" }).waitFor();
  expect(await project.queries.workPause()).toBeUndefined();

  await page.goto(new URL(`/board?at=${before}`, panel.address).href);
  await bar.getByText("2 loops: 2 waiting").waitFor();
  const pause = bar.getByRole("button", { name: "Pause" });
  expect(await pause.getAttribute("aria-description")).toContain("You are viewing the past");
  expect(seen).toEqual({ faults: [], strangers: [] });

  const failure = { status: 500, json: { error: { code: "internal", message: "The disk is full." } } };
  await page.route("**/api/loop?*", (route) => route.fulfill(failure));
  await page.reload();
  await bar.getByText("The disk is full.").waitFor();
});
