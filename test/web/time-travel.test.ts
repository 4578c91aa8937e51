import type { Page } from "playwright-core";
import { expect } from "vitest";
import { addLearning } from "../../src/decisions/learnings.ts";
import { createTask } from "../../src/decisions/tasks.ts";
import type { Project } from "../../src/project.ts";
import { anotherPage, browserTest, freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

/** Two events of the project's beginning, then a task, then a learning with each number. */
async function givenLearnings(project: Project, count: number): Promise<void> {
  await project.decide(createTask({ title: "Lay the points" }));
  for (let nth = 1; nth <= count; nth++) {
    await project.decide(addLearning({ text: `${WORDS[nth % WORDS.length]} ${nth}`, source: "human" }));
  }
}

const WORDS = ["Amber shows late", "Points freeze at night", "Wires hum", "Lamps need oil", "Levers stick"];
const banner = (page: Page, position: number) =>
  page.getByText(`You look at #${position.toLocaleString("en")}`);
const shown = (page: Page, text: string) => page.getByRole("main").getByText(text, { exact: true });
const slider = (page: Page) => page.getByRole("slider", { name: "Position in the log" });

browserTest("a link shows the same moment on every view, whoever opens it", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, context, seen } = await openPage(panel, "/learnings?at=4");
  await banner(page, 4).waitFor();
  await shown(page, "Points freeze at night 1").waitFor();
  expect(await page.locator(".learning-row").count()).toBe(1);
  await page.getByRole("link", { name: "Log" }).click();
  await shown(page, "#4").waitFor();
  expect(await shown(page, "#5").count()).toBe(0);
  const other = await anotherPage(context, panel, new URL(page.url()).pathname + new URL(page.url()).search);
  await banner(other.page, 4).waitFor();
  await shown(other.page, "#4").waitFor();
  expect(await shown(other.page, "#5").count()).toBe(0);
  expect([seen, other.seen]).toEqual([
    { faults: [], strangers: [] },
    { faults: [], strangers: [] },
  ]);
});

browserTest(
  "the slider goes by single events, tens, hundredths and to the ends, and says where it is",
  async () => {
    const { panel, project } = await freshPanel();
    await givenLearnings(project, 30);
    const head = await project.log.head();
    const { page, seen } = await openPage(panel, "/learnings");
    await page.getByText("live · #").waitFor();
    await page.keyboard.press("t");
    for (const [key, position] of [
      ["ArrowLeft", head - 1],
      ["Shift+ArrowLeft", head - 11],
      ["ArrowRight", head - 10],
      ["PageDown", head - 11],
      ["Home", 0],
      ["Shift+ArrowRight", 10],
      ["PageUp", 11],
    ] as const) {
      await page.keyboard.press(key);
      await banner(page, position).waitFor();
    }
    await page.waitForURL(/at=11$/);
    await page.getByTitle("learning.added · project · Learned: Lamps need oil 8").waitFor();
    expect(await slider(page).getAttribute("aria-valuetext")).toBe(
      "position 11, learning.added · project · Learned: Lamps need oil 8",
    );
    await page.keyboard.press("End");
    await page.getByText("You look at").waitFor({ state: "detached" });
    expect(page.url()).not.toContain("at=");
    expect(seen).toEqual({ faults: [], strangers: [] });
  },
);

browserTest("dragging the slider moves every view along, and asks once a frame at most", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 40);
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByText("Lamps need oil 38").first().waitFor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/learnings")) asked.push(request.url());
  });
  const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
  await page.mouse.up();
  await page.getByText("You look at").waitFor();
  const position = Number(await slider(page).inputValue());
  expect(position).toBeGreaterThan(15);
  expect(position).toBeLessThan(28);
  await page
    .getByText(` ${position - 3}`, { exact: false })
    .first()
    .waitFor();
  expect(await page.getByText(/ 38$/).count()).toBe(0);
  asked.length = 0;
  // What a hand on a fast mouse gives within one frame.
  await page.evaluate(`{
    const input = document.querySelector("input[type=range]");
    for (let at = 40; at >= 5; at--) {
      input.value = at;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }`);
  await banner(page, 5).waitFor();
  await shown(page, "Wires hum 2").waitFor();
  expect(asked.map((url) => new URL(url).searchParams.get("at"))).toEqual(["5"]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

browserTest("the present goes on in the header, and one key leads back to it", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 3);
  const { page, seen } = await openPage(panel, "/learnings?at=5");
  await page.getByText("2 events ago").or(page.getByText("1 event ago")).first().waitFor();
  await project.decide(addLearning({ text: "Said meanwhile", source: "human" }));
  const head = await project.log.head();
  await page.getByText(`live · #${head}`).waitFor();
  await page.getByText(`${head - 5} events ago`).waitFor();
  expect(await page.getByText("Said meanwhile").count()).toBe(0);
  await page.keyboard.press("L");
  await shown(page, "Said meanwhile").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

browserTest("a position that is not there yet is the last one there is, with a sentence", async () => {
  const { panel, project } = await freshPanel();
  await givenLearnings(project, 2);
  const head = await project.log.head();
  const { page, seen } = await openPage(panel, "/learnings?at=48211");
  await page.getByText("There is no #48,211 yet.").waitFor();
  await banner(page, head).waitFor();
  await page.waitForURL(new RegExp(`at=${head}$`));
  await shown(page, "Wires hum 2").waitFor();
  await page.getByLabel("Position", { exact: true }).fill("#3");
  await page.keyboard.press("Enter");
  await banner(page, 3).waitFor();
  expect(await page.getByText("There is no").count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});
