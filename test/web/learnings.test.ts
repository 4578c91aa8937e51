import { expect } from "vitest";
import { addLearning } from "../../src/decisions/learnings.ts";
import type { Project } from "../../src/project.ts";
import { browserTest, freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

async function learned(project: Project, ...texts: readonly string[]): Promise<number[]> {
  const positions: number[] = [];
  for (const text of texts) {
    const [event] = await project.decide(addLearning({ text, source: "human" }));
    positions.push(event?.position ?? 0);
  }
  return positions;
}

const MIGRATE = "The test database must be migrated before the suite is run.";
const NEARLY = "The test database must be migrated before the whole suite is run.";

browserTest("a search marks its words, tells how many there are, and stands in the address", async () => {
  const { panel, project } = await freshPanel();
  await learned(project, MIGRATE, "Times are in UTC.", "Amounts are in cents.");
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByRole("button", { name: /Times are in UTC/ }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("are in");
  await page.getByText("2 of 3").waitFor();
  expect(await page.locator("mark").allTextContents()).toEqual(["are", "in", "are", "in"]);
  await page.reload();
  await page.getByText("2 of 3").waitFor();
  await page.getByLabel("Search learnings").fill("nowhere");
  await page.getByText("Nothing was learned with “nowhere”.").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByRole("button", { name: /migrated/ }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

browserTest("j, p, x and z pin, retire and take back, as events of the human", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0, second = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByRole("button", { name: /Times are in UTC/ }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "Times are in UTC." }).waitFor();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Undo (z)" }).waitFor();
  expect(await project.queries.learnings()).toMatchObject([{ id: first }, { id: second, mark: "retired" }]);
  await page.keyboard.press("z");
  await page.getByRole("button", { name: "Pin (p)" }).waitFor();
  await page.keyboard.press("p");
  await page.getByRole("complementary").getByText("pinned", { exact: true }).waitFor();
  const last = (await project.log.read((await project.log.head()) - 1, 1))[0];
  expect(last).toMatchObject({
    type: "learning.marked",
    actor: "human",
    payload: { learning: second, mark: "pinned" },
  });
  expect(seen).toEqual({ faults: [], strangers: [] });
});

browserTest("what was joined shows its sources, each a link, and can be split again", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0, second = 0] = await learned(project, MIGRATE, NEARLY);
  const { page } = await openPage(panel, `/learnings?learning=${first}`);
  await page.getByRole("heading", { name: "2 sources" }).waitFor();
  expect(await page.getByRole("link", { name: `#${second}` }).getAttribute("href")).toBe(
    `/log?event=${second}`,
  );
  await page.getByRole("button", { name: /split it off/ }).click();
  await page.getByRole("heading", { name: "Source", exact: true }).waitFor();
  await page.getByRole("button", { name: /whole suite/ }).waitFor();
  expect(await project.queries.learnings()).toMatchObject([{ id: first, confirmations: 1 }, { id: second }]);
});

browserTest("the past shows what was learned then, and lets nothing be done", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  const { page } = await openPage(panel, `/learnings?at=${first}&learning=${first}`);
  await page.getByRole("button", { name: /migrated/ }).waitFor();
  expect(await page.getByText("Times are in UTC.").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Pin (p)" }).isDisabled()).toBe(true);
  await page.keyboard.press("L");
  await page.getByRole("button", { name: /Times are in UTC/ }).waitFor();
});

browserTest("of ten thousand only those in sight are on the page", async () => {
  const { panel, project } = await freshPanel();
  const events = Array.from({ length: 10_000 }, (_, nth) => ({
    type: "learning.added" as const,
    actor: "human",
    payload: {
      text: `${WORDS[nth % 100]} ${nth} ${WORDS[(nth * 7) % 100]} ${nth * 13}`,
      source: "human" as const,
      kind: "discovery" as const,
    },
  }));
  for (let from = 0; from < events.length; from += 1_000)
    await project.log.append(events.slice(from, from + 1_000));
  const { page } = await openPage(panel, "/learnings");
  await page.getByText("10,000", { exact: true }).waitFor();
  expect(await page.locator(".learning-row").count()).toBeLessThan(60);
  await page
    .getByRole("region", { name: "Learnings" })
    .evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.getByRole("button", { name: `${WORDS[0]} 0 ` }).waitFor();
});

const WORDS = Array.from(
  { length: 100 },
  (_, nth) => String.fromCharCode(97 + (nth % 26)).repeat(3 + (nth % 7)) + nth,
);
