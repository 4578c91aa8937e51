// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { addLearning, markLearning } from "../../src/operations/learnings.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshPanel, openPage, routeOpened, useBrowser } from "./support/browser.ts";

useBrowser();

async function learned(project: Project, ...texts: readonly string[]): Promise<number[]> {
  const positions: number[] = [];
  for (const text of texts) {
    const [event] = await project.decide(addLearning({ text, source: "human" }));
    positions.push(event?.position ?? 0);
  }
  return positions;
}

function row(page: Page, text: string) {
  return page.getByRole("region", { name: "Learnings" }).getByRole("button", { name: text });
}

function pane(page: Page) {
  return page.getByRole("complementary", { name: "Learning" });
}

async function status(page: Page, text: string): Promise<void> {
  await page.getByRole("status").filter({ hasText: text }).waitFor();
}

const MIGRATE = "The test database must be migrated before the suite is run.";
const NEARLY = "**The test database** must be migrated before the suite is run!";

test("a search highlights its words, counts the results, and is in the address", async () => {
  const { panel, project } = await freshPanel();
  await learned(project, MIGRATE, "Times are in UTC.", "Amounts are in cents.");
  const { page, seen } = await openPage(panel, "/learnings");
  await page.getByRole("button", { name: /Times are in UTC/ }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("are in");
  await page.getByText("2 of 3").waitFor();
  await expect.poll(() => page.locator("mark").allTextContents()).toEqual(["are", "in", "are", "in"]);
  await page.reload();
  await page.getByText("2 of 3").waitFor();
  await page.getByLabel("Search learnings").fill("nowhere");
  await page.getByText("No learnings match “nowhere”.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: /migrated/ }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("the page's own act is loaded once, and not again with its event", async () => {
  const { panel, project } = await freshPanel();
  await learned(project, MIGRATE);
  const { page, seen } = await openPage(panel, "/learnings");
  await row(page, "migrated").waitFor();
  await page.getByText(`live · last event #${await project.log.head()}`).waitFor();
  await page.keyboard.press("j");
  await pane(page).getByText(MIGRATE).first().waitFor();
  let asked = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/learnings") asked += 1;
  });
  await page.keyboard.press("p");
  await pane(page).getByText("pinned", { exact: true }).waitFor();
  await page.getByText(`live · last event #${await project.log.head()}`).waitFor();
  await expect.poll(() => asked).toBe(1);
  // Six times as long as news waits for more of it.
  await page.waitForTimeout(1_000);
  expect(asked).toBe(1);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("if the event of the page's own act comes before the answer, it is loaded once as well", async () => {
  const { panel, project } = await freshPanel();
  const [id = 0] = await learned(project, MIGRATE);
  const { page, seen } = await openPage(panel, "/learnings");
  await row(page, "migrated").waitFor();
  await page.getByText(`live · last event #${await project.log.head()}`).waitFor();
  await page.keyboard.press("j");
  await pane(page).getByText(MIGRATE).first().waitFor();
  const isList = (url: string) => new URL(url).pathname === "/api/learnings";
  let asked = 0;
  page.on("request", (request) => {
    if (isList(request.url())) asked += 1;
  });
  const listed = page.waitForResponse((response) => isList(response.url()));
  await routeOpened(page, "**/api/acts/**", async (route) => {
    const response = await route.fetch();
    await (await listed).finished();
    await route.fulfill({ response });
  });
  await page.keyboard.press("p");
  await status(page, `Learning #${id} is now pinned.`);
  await pane(page).getByText("pinned", { exact: true }).waitFor();
  expect(asked).toBe(1);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("j, p, x and u pin, retire and release, as events of the human", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0, second = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  const { page, seen } = await openPage(panel, "/learnings");
  await row(page, "Times are in UTC").waitFor();
  await page.keyboard.press("j");
  await pane(page).getByText("Times are in UTC.").first().waitFor();
  await page.keyboard.press("x");
  await pane(page).getByText("retired", { exact: true }).waitFor();
  await expect
    .poll(() => project.queries.learnings())
    .toMatchObject([{ id: first }, { id: second, mark: "retired" }]);
  await page.keyboard.press("u");
  await status(page, `Learning #${second} is now unmarked.`);
  await page.keyboard.press("p");
  await pane(page).getByText("pinned", { exact: true }).waitFor();
  await expect
    .poll(async () => (await project.log.read((await project.log.head()) - 1, 1))[0])
    .toMatchObject({
      type: "learning.marked",
      actor: "human",
      payload: { learning: second, mark: "pinned" },
    });
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("j moves through all results, with each row visible and focused", async () => {
  const { panel, project } = await freshPanel();
  await project.log.append(
    Array.from({ length: 450 }, (_, nth) => ({
      type: "learning.added" as const,
      actor: "human",
      payload: { text: `${WORDS[nth % 100]} ${nth} ${nth * 13}`, source: "human", kind: "discovery" },
    })),
  );
  const { page, seen } = await openPage(panel, "/learnings");
  await row(page, `${WORDS[49]} 449 `).waitFor();
  const step = async (key: string, ...numbers: readonly number[]) => {
    for (const number of numbers) {
      await page.keyboard.press(key);
      await expect.poll(() => focusedRow(page)).toMatch(new RegExp(`^\\S+ ${number} `));
    }
  };
  await step("j", ...Array.from({ length: 25 }, (_, nth) => 449 - nth));
  // Whoever scrolls elsewhere goes on from what is chosen.
  const list = page.getByRole("region", { name: "Learnings" });
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await row(page, `${WORDS[0]} 0 `).waitFor();
  await step("j", 424);
  await step("k", 425, 426);
  // As fast as a key that is held down, past the last row that comes with the first answer.
  await list.evaluate((box) => box.scrollTo(0, 195 * 64));
  await row(page, ` 253 `).click();
  for (let nth = 0; nth < 20; nth++) await page.keyboard.press("j");
  await expect.poll(() => focusedRow(page)).toMatch(/^\S+ 233 /);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

/** The text of the focused row, where it is in sight. */
async function focusedRow(page: Page): Promise<string | undefined> {
  return page.evaluate(`(() => {
    const row = document.activeElement;
    if (!row.matches(".learning-row[aria-current]")) return "no row";
    const [own, list] = [row, row.closest(".windowed")].map((one) => one.getBoundingClientRect());
    return own.top >= list.top - 1 && own.bottom <= list.bottom + 1 ? row.textContent : "out of sight";
  })()`);
}

test("after pinning or retiring one, j continues with the row below it", async () => {
  const { panel, project } = await freshPanel();
  await learned(project, "Amounts are in cents.", "Dates come last.", MIGRATE, "Times are in UTC.");
  const { page } = await openPage(panel, "/learnings");
  await row(page, "Times are in UTC").click();
  for (const [key, said, next] of [
    ["x", "retired", "migrated"],
    ["p", "pinned", "Dates come last"],
  ] as const) {
    await page.keyboard.press(key);
    await row(page, said).first().waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => focusedRow(page)).toContain(next);
  }
});

test("z undoes only this page's last mark", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0, second = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  await project.decide(markLearning({ learning: first, mark: "pinned", reason: "It bit us." }));
  const { page, seen } = await openPage(panel, `/learnings?learning=${first}`);
  await pane(page).getByText("It bit us.").waitFor();
  await page.keyboard.press("z");
  await status(page, "Nothing to undo on this page.");
  await page.keyboard.press("x");
  await pane(page).getByText("retired", { exact: true }).waitFor();
  // What is refused says why.
  await page.keyboard.press("x");
  await status(page, `Learning ${first} is retired already.`);
  await page.keyboard.press("z");
  await status(page, `Undone: learning #${first} is pinned again.`);
  await pane(page).getByText("It bit us.").waitFor();
  await row(page, "Times are in UTC").click();
  await page.keyboard.press("p");
  await status(page, `Learning #${second} is now pinned.`);
  await project.decide(markLearning({ learning: second, mark: "retired" }));
  await page.getByRole("button", { name: "Undo (z)" }).click();
  await status(page, `Not undone: learning #${second} was changed since and is now retired.`);
  await expect
    .poll(() => project.queries.learnings())
    .toMatchObject([{ mark: "pinned" }, { mark: "retired" }]);
  // The browser tells of the act that was refused.
  expect(seen).toEqual({ faults: [expect.stringContaining("409")], strangers: [] });
});

test("a typed reason is sent with the mark, and kept until then", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0] = await learned(project, MIGRATE);
  const { page } = await openPage(panel, `/learnings?learning=${first}`);
  await page.getByLabel("Reason for the mark").fill("The limit was lifted.");
  await page.reload();
  await expect.poll(() => page.getByLabel("Reason for the mark").inputValue()).toBe("The limit was lifted.");
  await page.getByRole("button", { name: "Retire (x)" }).click();
  await pane(page).getByText("The limit was lifted.").waitFor();
  await expect
    .poll(() => project.queries.learnings())
    .toMatchObject([{ mark: "retired", mark_reason: "The limit was lifted." }]);
  await expect.poll(() => page.getByLabel("Reason for the mark").inputValue()).toBe("");
});

test("markdown is rendered, in a row without its marks, with the search words highlighted", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0] = await learned(project, "Run `npm ci` **before** the\n\nmigration; 2*3*4 stands.");
  const { page, seen } = await openPage(panel, `/learnings?learning=${first}&text=bef`);
  await row(page, "Run npm ci before the migration; 2*3*4 stands.").waitFor();
  await pane(page).locator(".learning-said code", { hasText: "npm ci" }).waitFor();
  await pane(page).locator(".learning-said strong mark", { hasText: /^bef$/ }).waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("an unknown filter in the address shows the valid ones, and can be cleared", async () => {
  const { panel, project, origin } = await freshPanel();
  await learned(project, MIGRATE);
  const { page, seen } = await openPage(panel, "/learnings?scope=bogus");
  await page.getByText("There is no scope “bogus”. Use one of: project, feature, task.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "migrated").waitFor();
  await page.goto(`${origin}/learnings?learning=999999`);
  await page.getByText("There is no learning #999,999.").waitFor();
  await page.goto(`${origin}/learnings?learning=x`);
  await page.getByText("“x” is not a learning number").waitFor();
  await pane(page).getByRole("link", { name: "Close" }).click();
  await page.waitForURL(`${origin}/learnings`);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a row says in how many prompts it was, and the pane that it shows the last of them", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  await project.decide(createTask({ title: "Migrate" }));
  for (let nth = 0; nth < 22; nth++) {
    const session = `s-${nth}`;
    await project.log.append([
      { type: "session.started", actor: "driver", payload: { session, task: 1, forced: false } },
      {
        type: "prompt.built",
        actor: "driver",
        payload: {
          session,
          task: 1,
          positions: [first],
          characters: 8,
          tokens: 2,
          cut: 0,
          sha256: "a".repeat(64),
        },
      },
      { type: "session.ended", actor: "driver", payload: { session, exit: "exited" } },
    ]);
  }
  const { page } = await openPage(panel, `/learnings?learning=${first}`);
  await row(page, "used in 22 prompts").waitFor();
  expect(await row(page, "Times are in UTC").textContent()).not.toContain("used");
  await pane(page).getByText("The last 20:").waitFor();
  await expect.poll(() => pane(page).getByRole("link", { name: /^s-/ }).count()).toBe(20);
});

test("a merged entry shows its sources as links, and can be split again", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0, second = 0] = await learned(project, MIGRATE, NEARLY);
  const { page } = await openPage(panel, `/learnings?learning=${first}`);
  await page.getByRole("heading", { name: "2 sources" }).waitFor();
  await expect
    .poll(() => page.getByRole("link", { name: `#${second}` }).getAttribute("href"))
    .toBe(`/log?event=${second}`);
  await page.getByRole("button", { name: /^Split off/ }).click();
  await page.getByRole("heading", { name: "1 source", exact: true }).waitFor();
  await expect.poll(() => row(page, "The test database").count()).toBe(2);
  await expect
    .poll(() => project.queries.learnings())
    .toMatchObject([{ id: first, confirmations: 1 }, { id: second }]);
});

test("the past shows its learnings, read-only", async () => {
  const { panel, project } = await freshPanel();
  const [first = 0] = await learned(project, MIGRATE, "Times are in UTC.");
  const { page } = await openPage(panel, `/learnings?at=${first}&learning=${first}`);
  await page.getByRole("button", { name: /migrated/ }).waitFor();
  expect(await page.getByText("Times are in UTC.").count()).toBe(0);
  await expect.poll(() => page.getByRole("button", { name: "Pin (p)" }).isDisabled()).toBe(true);
  await page.keyboard.press("L");
  await page.getByRole("button", { name: /Times are in UTC/ }).waitFor();
});

test("of ten thousand entries only the visible ones are in the page", async () => {
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
