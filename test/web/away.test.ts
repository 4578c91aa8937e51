// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { created } from "../projections/board/history.ts";
import { anotherPage, freshPanel, isLive, openPage, useBrowser } from "./support/browser.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { happens } from "./support/happens.ts";
import { interruptedPanel } from "./support/interrupted.ts";

useBrowser();

const banner = (page: Page) => page.getByRole("alert");
/** What the browser itself says of a server that is not there is no fault of the page. */
const ofPage = (faults: readonly string[]) => faults.filter((fault) => !/ERR_|status of 401/.test(fault));

test("while the server is unreachable the page stays readable, says so everywhere, is read-only and keeps drafts", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel, goAway, comeBack } = await interruptedPanel(project);
  const { page, context, seen } = await openPage(panel, "/inbox");
  const other = await anotherPage(context, panel, "/board");
  await isLive(page);
  await isLive(other.page);
  await page.getByRole("heading", { name: "First?" }).waitFor();
  const head = await project.log.head();
  await goAway();
  for (const one of [page, other.page]) {
    await banner(one)
      .getByText(`Cannot reach the server. You are viewing the project at #${head}.`)
      .waitFor();
    await one.getByText(/Retrying in [1-3] s/).waitFor();
    await one.getByText(`reconnecting, last event #${head}`).waitFor();
  }
  await page.getByRole("heading", { name: "First?" }).waitFor();
  const option = page.getByRole("list", { name: "Options" }).getByRole("button").first();
  await expect.poll(() => option.isDisabled()).toBe(true);
  await page.getByText("The server is unreachable.").first().waitFor();
  const own = page.getByRole("textbox", { name: "Your own answer" });
  await own.fill("Neither of them");
  await page.keyboard.press("Control+Enter");
  expect(await project.log.head()).toBe(head);
  await comeBack();
  await isLive(page);
  await isLive(other.page);
  await expect.poll(() => banner(page).allInnerTexts()).toEqual([]);
  await expect.poll(() => own.inputValue()).toBe("Neither of them");
  await own.focus();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Second?" }).waitFor();
  await expect.poll(() => project.log.head()).toBe(head + 1);
  expect(ofPage([...seen.faults, ...other.seen.faults])).toEqual([]);
});

test("a mark that cannot be loaded while the server is unreachable is reported at the time bar", async () => {
  const { project } = await freshPanel();
  const { panel, goAway, comeBack } = await interruptedPanel(project);
  const { page, seen } = await openPage(panel, "/log");
  await isLive(page);
  await goAway();
  await banner(page).getByText("Cannot reach the server.").waitFor();
  const told = page.getByRole("region", { name: "Time travel" }).getByRole("alert");
  await page.keyboard.press(",");
  await told.getByText("Cannot find the previous mark. The server is unreachable.").waitFor();
  await page.getByRole("button", { name: "Next mark" }).click();
  await told.getByText("Cannot find the next mark. The server is unreachable.").waitFor();
  await comeBack();
  await isLive(page);
  await page.keyboard.press(",");
  await expect.poll(() => told.count()).toBe(0);
  expect(ofPage(seen.faults)).toEqual([]);
});

test("events of the meantime appear once the server is back, complete and without duplicates", async () => {
  const { project } = await freshPanel();
  const { panel, goAway, comeBack } = await interruptedPanel(project);
  const { page } = await openPage(panel, "/log");
  await isLive(page);
  await project.decide(createTask({ title: "Task before" }));
  await page.locator(".log-row", { hasText: "Task before" }).waitFor();
  await goAway();
  await banner(page).getByText("Cannot reach the server").waitFor();
  for (let nth = 1; nth <= 7; nth++) await project.decide(createTask({ title: `Task meanwhile ${nth}` }));
  await comeBack();
  await isLive(page);
  await project.decide(createTask({ title: "Task after" }));
  await page.locator(".log-row", { hasText: "Task after" }).waitFor();
  await page.locator(".log-row", { hasText: "Task meanwhile 7" }).waitFor();
  const titles = async () =>
    (await page.locator(".log-row", { hasText: /Task (before|meanwhile|after)/ }).allInnerTexts()).map(
      (text) => /Task (?:before|meanwhile \d|after)/.exec(text)?.[0],
    );
  await expect
    .poll(titles)
    .toEqual(["Task after", ...[7, 6, 5, 4, 3, 2, 1].map((nth) => `Task meanwhile ${nth}`), "Task before"]);
});

test("a view opened while the server is unreachable loads when it is back, and says why until then", async () => {
  const { project } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const { panel, goAway, comeBack } = await interruptedPanel(project);
  const { page } = await openPage(panel, "/log");
  await isLive(page);
  // The code of both views is there then; lazily.test.ts has the other case.
  await page.locator(".log-row", { hasText: "Lay the points" }).first().waitFor();
  await goAway();
  await banner(page).getByText("Cannot reach the server").waitFor();
  await page.getByRole("link", { name: "Learnings" }).click();
  await page.getByRole("main").getByText("The server is unreachable.").waitFor();
  await comeBack();
  await page.getByRole("heading", { name: "No learnings yet" }).waitFor();
});

test("“Try now” works on every page, and reconnects the page that has the stream", async () => {
  const { project } = await freshPanel();
  const { panel, goAway, comeBack } = await interruptedPanel(project);
  const { page, context } = await openPage(panel);
  await isLive(page);
  const { page: follower } = await anotherPage(context, panel);
  await isLive(follower);
  // On its own the page would wait for ever: its clock stands still.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await goAway();
  const now = follower.getByRole("button", { name: "Retry now" });
  await now.waitFor();
  await comeBack();
  await now.click();
  await isLive(follower);
  await isLive(page);
});

test("after a server restart the page says what to open and stops asking until then", async () => {
  const { project } = await freshPanel();
  const { panel, goAway, startAnew } = await interruptedPanel(project);
  const { page, context, seen } = await openPage(panel);
  // From the start, so that what asks again after a while would do so below.
  await page.clock.install();
  await page.reload();
  const { page: other } = await anotherPage(context, panel);
  await isLive(page);
  await isLive(other);
  await goAway();
  await banner(page).getByText("Cannot reach the server").waitFor();
  const next = await startAnew();
  const sentence =
    "This link belongs to an earlier run of the server. Run signalbox serve and open the address it prints.";
  for (const one of [page, other]) await banner(one).getByText(sentence).first().waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.fastForward(120_000);
  await project.decide(createTask({ title: "Lay the points" }));
  await page.clock.fastForward(120_000);
  expect(asked).toEqual([]);
  expect(ofPage(seen.faults)).toEqual([]);
  const opened = await context.newPage();
  await opened.goto(next.address);
  await isLive(opened);
  await opened.getByRole("link", { name: "Lay the points" }).waitFor();
  for (const one of [page, other]) {
    await isLive(one);
    await one.getByRole("link", { name: "Lay the points" }).waitFor();
  }
});

test("a silent server counts as unreachable", async () => {
  const { panel } = await freshPanel();
  const { page } = await openPage(panel);
  await page.clock.install();
  await page.reload();
  await isLive(page);
  await page.route("**/api/stream*", () => {});
  await page.clock.fastForward(36_000);
  await banner(page).getByText("Cannot reach the server").waitFor();
  await page.getByText("reconnecting, last event #").waitFor();
});

test("a projection that an error stopped is named, with where to look, and the views go on", async () => {
  const { panel, project } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await isLive(page);
  const { checkpoints } = project.store.readModel;
  checkpoints.stop("learnings", "position 3: no such day");
  await happens(project, created(1, { title: "Lay the points" }));
  await banner(page)
    .getByText("Projection learnings stopped with an error: position 3: no such day")
    .waitFor();
  await banner(page).getByText("signalbox rebuild").waitFor();
  await page.getByRole("link", { name: "Lay the points" }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("an own projection that stopped is named, and nothing here is called out of date", async () => {
  const { panel, project } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await isLive(page);
  const { checkpoints } = project.store.readModel;
  const [ours] = checkpoints.list();
  if (!ours) throw new Error("There is no projection.");
  checkpoints.put({ ...ours, name: "shop_orders", state: "stopped", error: "position 3: boom" });
  await happens(project, created(1, { title: "Lay the points" }));
  await banner(page).getByText("Projection shop_orders stopped with an error: position 3: boom").waitFor();
  await banner(page).getByText("Only its own tables are out of date.").waitFor();
  expect(await banner(page).getByText("cannot change anything").count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a board that does not come as far as the log says where both are", async () => {
  const { panel, project } = await freshPanel();
  const { page, seen } = await openPage(panel);
  await isLive(page);
  const at = await project.log.head();
  await page.route("**/api/overview?*", async (route) => {
    const answered = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answered, position: at } });
  });
  await project.decide(createTask({ title: "Lay the points" }));
  await page.getByText(`The board is behind the log: it shows #${at} of #${at + 1}.`).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("requests that failed are repeated on the server's next message", async () => {
  const { panel } = await freshPanel();
  const { page } = await openPage(panel, "/log");
  await isLive(page);
  await page.route("**/api/learnings?*", (route) => route.abort());
  await page.getByRole("link", { name: "Learnings" }).click();
  await page.getByRole("main").getByText("The server is unreachable.").waitFor();
  await page.unroute("**/api/learnings?*");
  await page.getByRole("heading", { name: "No learnings yet" }).waitFor();
});
