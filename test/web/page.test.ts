import { expect } from "vitest";
import { createTask } from "../../src/decisions/tasks.ts";
import { anotherPage, browserTest, freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

browserTest("the address that is printed opens the page, and its token does not stay in it", async () => {
  const { panel } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await page
    .getByRole("status")
    .getByText(/live · #/)
    .waitFor();
  expect(page.url()).not.toContain("token");
  expect(seen).toEqual({ faults: [], strangers: [] });
});

browserTest("a new event is on every open page, of which one alone has a stream", async () => {
  const { project, panel } = await freshPanel();
  const { page, context } = await openPage(panel, "/log");
  const others = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => anotherPage(context, panel, "/log")));
  const pages = [page, ...others.map((other) => other.page)];
  for (const one of pages) await one.getByText("live · #").waitFor();
  await project.decide(createTask({ title: "Lay the points" }));
  for (const one of pages) await one.getByText("Lay the points").first().waitFor();
  await page.close();
  await project.decide(createTask({ title: "Set the signals" }));
  for (const one of pages.slice(1)) await one.getByText("Set the signals").first().waitFor();
});
