// @module-tag chromium
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { addComment } from "../../src/operations/comments.ts";
import { inProcessAgents } from "../../src/replay/agent.ts";
import { replay } from "../../src/replay/replay.ts";
import { loadSimulations } from "../../src/replay/simulation.ts";
import { end, freshTask, say, start } from "./support/agent.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();

async function playAwkward(project: Project): Promise<readonly number[]> {
  const [simulation] = loadSimulations([packagePath("fixtures/sims/056-L30.json")]);
  if (!simulation) throw new Error("there is no simulation 056-L30");
  await replay(simulation, project.store, inProcessAgents(project.store), () => {});
  return (await project.queries.tasks()).map(({ id }) => id);
}

/** What no text may bring onto a page. */
const intruders = (page: Page) =>
  page
    .locator("main")
    .locator(
      "script, img, iframe, object, form[action], style, link, a[href^='javascript'], a[href^='data']",
    );

test("awkward texts of agents are shown as they are, with all that hides in them", async () => {
  const { project, panel, origin } = await freshPanel();
  const tasks = await playAwkward(project);
  const { page, seen } = await openPage(panel);
  for (const task of tasks) {
    await page.goto(`${origin}/tasks/${task}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const head of await page.getByRole("button", { name: /^. session/, expanded: false }).all())
      await head.click();
    expect(await intruders(page).count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
  }
  const withGate = (await project.queries.tasks()).find(({ title }) => title.startsWith("Right-to-left"))?.id;
  await page.goto(`${origin}/tasks/${withGate}?kind=done`);
  const done = page.getByRole("article", { name: /^Done/ });
  await done.getByText("Unverified: the done did not count").waitFor();
  await done.getByText("exited with code 1").waitFor();
  await done.getByText("npm ERR! code ELIFECYCLE").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("markup, pictures and links of other kinds are inert, and a link says where it leads", async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "<img src=x onerror=alert(1)>" });
  const hostile = [
    "<script>window.broken = 1</script>",
    "<svg onload='window.broken = 1'><a href='javascript:window.broken=1'>x</a></svg>",
    "<img src=https://evil.example/a.png onerror='window.broken = 1'>",
    "![a picture](https://evil.example/b.png)",
    "[script](javascript:window.broken=1) [data](data:text/html,<script>1</script>) [file](file:///etc/passwd)",
    "[odd](JaVaScRiPt:window.broken=1) [relative](/api/stream) <javascript:window.broken=1>",
    "[bank.example](https://evil.example/login) and https://plain.example/x",
    "\u202egnp.exe and \u0007 a bell",
  ].join("\n\n");
  await project.decide(addComment({ task, author: "Eve <b>", body: hostile }));
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  const card = page.getByRole("article", { name: /^Comment/ });
  await card.getByText("[image: a picture]").waitFor();
  expect(await intruders(page).count()).toBe(0);
  const links = card.locator(".markdown a");
  await expect
    .poll(() =>
      links.evaluateAll((all) => all.map((link) => [link.getAttribute("href"), link.getAttribute("rel")])),
    )
    .toEqual([
      ["https://evil.example/login", "noreferrer noopener nofollow"],
      ["https://plain.example/x", "noreferrer noopener nofollow"],
    ]);
  await card.getByText("(evil.example)").waitFor();
  await card.getByText("\\u{202e}gnp.exe and \\u{7} a bell").waitFor();
  expect(await page.evaluate("window.broken")).toBeUndefined();
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a deeply nested or very long text is shown as written", async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Deep" });
  const deepList = Array.from({ length: 500 }, (_, depth) => `${"  ".repeat(depth)}- x`)
    .join("\n")
    .slice(0, 99_000);
  const texts = [
    ">".repeat(5_000),
    deepList,
    ">".repeat(900),
    "_a_".repeat(2_500),
    "[".repeat(7_000),
    "a".repeat(90_000),
  ];
  const positions: number[] = [];
  for (const body of texts) {
    const [event] = await project.decide(addComment({ task, author: "Eve", body }));
    positions.push(event?.position ?? 0);
  }
  const { page, seen } = await openPage(panel, `/tasks/${task}`);
  for (const position of positions) {
    await page.goto(`${new URL(page.url()).origin}/tasks/${task}#e${position}`);
    await page.getByRole("article", { name: `Comment, #${position}` }).waitFor();
  }
  const veryLong = page.getByRole("article", { name: `Comment, #${positions.at(-1)}` });
  await veryLong.getByRole("button", { name: "Render anyway" }).click();
  await expect.poll(() => veryLong.getByRole("button", { name: "Render anyway" }).count()).toBe(0);
  expect(seen).toEqual({ faults: [], strangers: [] });
});

test("a card that fails to render shows its text, one of an unknown verb its arguments, and the others stay", async () => {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Newer" });
  await start(project, task, "s-1");
  const from = { task, session: "s-1" };
  await say(project, from, "ask", { question: "Which?", blocking: false, options: ["a"] });
  await say(project, from, "stuck", { reason: "No key." });
  await say(project, from, "learned", { text: "Stands.", kind: "discovery" });
  await end(project, "s-1");
  const { page, seen } = await openPage(panel);
  await page.route("**/api/cards?*", async (route) => {
    const answered = await (await route.fetch()).json();
    for (const card of answered.answer) {
      if (card.kind === "ask") card.payload.options = [7];
      if (card.kind === "stuck") card.kind = "sigh";
    }
    await route.fulfill({ json: answered });
  });
  await page.goto(`${new URL(page.url()).origin}/tasks/${task}`);
  await page.getByText("could not be rendered").waitFor();
  await page.getByText("❓ **Ask (non-blocking):** Which?").waitFor();
  const unknown = page.getByRole("article", { name: /^sigh/ });
  await unknown.getByText("This page cannot show signal.sigh").waitFor();
  await unknown.locator("summary").click();
  await unknown.getByText("No key.").waitFor();
  await page.getByText("Stands.").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
});
