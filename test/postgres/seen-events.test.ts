// @module-tag postgresql
import { expect, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { logUntil } from "../../src/history/time-travel/log-until.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { comments, everythingIn } from "../events/given.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";
import { openPage, useBrowser } from "../web/support/browser.ts";
import { freshPanel } from "../web/support/panel.ts";
import { givenLog, loginAs, openForTest } from "./given-postgres.ts";

/* Catches: an event that does not say from which host it came, or says it in the event itself, where a reducer or an export could see it. */

useBrowser();

/** A folder that works on a log, as the host whose login the URL names. */
async function givenHost(url: string): Promise<string> {
  const folder = freshFolder();
  const joined = await signalbox(["fleet", "join", url, "--anyway"], { cwd: folder });
  expect(joined.exitCode).toBe(0);
  return folder;
}

test("the server knows the login of each event, which is no part of the event", async () => {
  const url = await givenLog();
  const [host, owner] = [await loginAs(url, "host"), await openForTest(url)];
  const one = await openForTest(host);
  await one.append(comments(2));
  await owner.append(comments(1));
  const names = new URL(host).username;
  expect(await one.recordedBy([1, 2, 3, 4])).toEqual(
    new Map([
      [1, names],
      [2, names],
      [3, new URL(url).username],
    ]),
  );
  expect(await logUntil(one, 2).recordedBy([2, 3])).toEqual(new Map([[2, names]]));
  // Neither is it in what exports and file logs are made of.
  expect(JSON.stringify([await everythingIn(one), await one.records(0, 10)])).not.toContain(names);
});

test("log list says from which host an event came, as a table and as JSON", async () => {
  const url = await loginAs(await givenLog(), "host");
  const login = new URL(url).username;
  const folder = await givenHost(url);
  await signalbox(["init"], { cwd: folder });
  await signalbox(["task", "add", "Lay the points"], { cwd: folder });
  const table = (await signalbox(["log"], { cwd: folder })).stdout.split("\n");
  expect(table[0]).toMatch(/type +recorded by +what it says/);
  // As wide as its column, as the other names.
  expect(table[1]).toContain(login.slice(0, 10));
  const lines = (await signalbox(["log", "--json", "--type", "task.created"], { cwd: folder })).stdout;
  expect(JSON.parse(lines)).toMatchObject({ type: "task.created", recordedBy: login });
  const past = (await signalbox(["log", "--json", "--at", "1"], { cwd: folder })).stdout;
  expect(JSON.parse(past)).toMatchObject({ position: 1, recordedBy: login });
});

test("a log in a file says nothing of it", async () => {
  const folder = freshFolder();
  await signalbox(["init"], { cwd: folder });
  expect((await signalbox(["log"], { cwd: folder })).stdout).not.toContain("recorded by");
  expect((await signalbox(["log", "--json"], { cwd: folder })).stdout).not.toContain("recordedBy");
});

test("the page's log shows the login, in the list and at the event", { tags: "chromium" }, async () => {
  const url = await loginAs(await givenLog(), "host");
  const login = new URL(url).username;
  const folder = await givenHost(url);
  await signalbox(["init"], { cwd: folder });
  const project = await openProject(folder);
  try {
    await project.decide(createTask({ title: "Lay the points" }));
    const { panel } = await freshPanel({ project });
    const { page, seen } = await openPage(panel, "/log");
    const row = page.locator(".log-row", { hasText: "Lay the points" });
    await row.getByText(`· ${login}`).waitFor();
    await row.click();
    const event = page.getByRole("complementary", { name: "Event" });
    await event.getByText("recorded by").waitFor();
    await event.getByText(login, { exact: true }).waitFor();
    expect(seen).toEqual({ faults: [], strangers: [] });
  } finally {
    await project.close();
  }
});
