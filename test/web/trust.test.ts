// @module-tag chromium
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { forgetLog } from "../../src/config/known-log.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

/* Catches: a page that looks as ever while nothing runs from its log, or while git could replace what only signalbox writes. */

test("the page says on every view what is not trusted, and what to do", async () => {
  const { project, folder } = await freshProject();
  const { panel } = await freshPanel({ project });
  await project.decide(createTask({ title: "Lay the points" }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init");
  git("add", "--force", ".ralph/db/ralph.db");
  forgetLog(project.store.readModel.database.name);
  const { page, seen } = await openPage(panel, "/board");
  const banner = page.getByRole("alert");
  await banner.getByText("Nobody here has confirmed this log").waitFor();
  expect(await banner.getByText("signalbox log trust").count()).toBe(1);
  expect(await banner.innerText()).toContain("git tracks .ralph/db/ralph.db, which only signalbox writes");
  await page.getByRole("link", { name: "Log", exact: true }).click();
  await banner.getByText("Nobody here has confirmed this log").waitFor();
  expect(seen.faults).toEqual([]);
});
