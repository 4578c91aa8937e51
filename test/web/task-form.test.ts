// @module-tag chromium
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

test("a task with a gate and a dependency is created by keyboard alone, and its draft survives a reload", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay <b>the</b> points\u202e" }));
  const { page, seen } = await openPage(panel, "/board");
  await page.getByText("points").first().waitFor();
  await page.keyboard.press("c");
  const form = page.getByRole("dialog", { name: "New task" });
  await form.locator("input:focus").waitFor();
  await page.keyboard.type("Set the signals");
  await page.keyboard.press("Escape");
  await expect.poll(() => form.count()).toBe(0);
  await page.reload();
  await page.getByText("points").first().waitFor();
  await page.keyboard.press("c");
  await form.locator("input:focus").waitFor();
  expect(await form.getByLabel("Title").inputValue()).toBe("Set the signals");
  await form.getByLabel("Gates").focus();
  await page.keyboard.type('npm test\n:: verify:"npm run lint" :fst');
  await page.keyboard.press("Control+Enter");
  await form.getByText("did you mean `:fast`?").waitFor();
  await form.locator("textarea:focus").waitFor();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ast max:2");
  await page.keyboard.press("Tab");
  await page.keyboard.type("the");
  await form.getByRole("option", { name: "#1 Lay <b>the</b> points\\u{202e}" }).waitFor();
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Do not depend on #1" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("complementary", { name: "Task 2" }).getByText("npm run lint").waitFor();
  await page.getByText("#2 created.").waitFor();
  const created = (await project.log.read(0, 500)).filter(({ type }) => type === "task.created");
  expect(created.at(-1)).toMatchObject({
    actor: "human",
    payload: {
      task: 2,
      title: "Set the signals",
      depends_on: [1],
      gates: [
        { command: "npm test", max: 5, timeout_s: 300 },
        { command: "npm run lint", max: 2, timeout_s: 30 },
      ],
    },
  });
  expect(created).toHaveLength(2);
  expect(seen).toEqual({
    faults: ["Failed to load resource: the server responded with a status of 409 (Conflict)"],
    strangers: [],
  });
});

test("while a task is saved, the form sends nothing twice and takes no text that would be lost", async () => {
  const { project, panel } = await freshPanel();
  const { page, seen } = await openPage(panel, "/board");
  await page.getByRole("button", { name: "New task" }).first().click();
  const form = page.getByRole("dialog", { name: "New task" });
  await form.getByLabel("Title").fill("Lay the points");
  const held: (() => Promise<void>)[] = [];
  await page.route("**/api/acts/create_task", (route) => void held.push(() => route.continue()));
  await page.keyboard.press("Control+Enter");
  await form.locator("input[readonly]:focus").waitFor();
  await page.keyboard.type(" and the signals");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => held.length).toBe(1);
  for (const send of held) await send();
  await page.getByRole("complementary", { name: "Task 1" }).waitFor();
  expect(held).toHaveLength(1);
  expect((await project.queries.tasks()).map(({ title }) => title)).toEqual(["Lay the points"]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("any task is changed in the same form, from its pane and its timeline", async () => {
  const { project, panel } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const gates = [{ command: "npm test", max: 5, timeout_s: 300 }];
  await project.decide(createTask({ title: "Set the signals", depends_on: [1], gates }));
  const { page, seen } = await openPage(panel, "/board?task=2", { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Edit #2" }).click();
  const form = page.getByRole("dialog", { name: "Edit #2" });
  await form.getByRole("list", { name: "Gates of the task" }).getByText("npm test").waitFor();
  await form.getByRole("button", { name: "Do not depend on #1" }).click();
  await form.getByLabel("More gates").fill("npm run lint");
  expect(await barriersOn(page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("#2 saved.").waitFor();
  expect(await project.queries.task(2)).toMatchObject({
    depends_on: [],
    gates: [{ command: "npm test" }, { command: "npm run lint" }],
  });
  await page.goto(new URL("/tasks/2", page.url()).href);
  await page.getByRole("heading", { name: "#2 Set the signals" }).waitFor();
  await page.keyboard.press("e");
  await form.locator("input:focus").fill("Set all signals");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "#2 Set all signals" }).waitFor();
  await page.getByText("#2 saved.").waitFor();
  await page.getByRole("link", { name: "Board" }).first().click();
  await page.getByRole("heading", { name: "Board" }).or(page.getByText("Set all signals")).first().waitFor();
  await expect.poll(() => page.getByText("#2 saved.").count()).toBe(0);
  await page.goto(new URL("/board?at=1", page.url()).href);
  await page.getByText("You are viewing").or(page.getByText("Viewing")).first().waitFor();
  await page.keyboard.press("c");
  // Keys are handled in order: when the help is open, nothing came of `c`.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await page.getByRole("button", { name: "New task" }).getAttribute("aria-disabled")).toBe("true");
  expect(seen).toEqual({ faults: [], strangers: [] });
});
