// @module-tag chromium
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { givenLoop } from "../loop/given-loop.ts";
import type { Act } from "../loop/script.ts";
import { barriersOn } from "./support/axe.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const shell = (command: string): Act => ({ shell: command });
const LONG = "a-name-without-a-place-to-break-it".repeat(6);
const changes: readonly Act[] = [
  { init: "connected" },
  shell("printf 'one\\n<img src=x onerror=alert(1)>\\342\\200\\256two\\n' > a.txt"),
  shell("printf 'TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345\\n' > settings.txt; echo x > .env"),
  shell(`printf '%0999d\\n' 7 > '<b>${LONG}'; printf x > "$(printf 'right\\342\\200\\256left')"`),
  shell("for n in 0 1 2 3 4 5 6 7 8 9; do echo $n > many-$n; done"),
  { until: ".ralph/told" },
  shell("echo three >> a.txt; git add -A; git reset -q .env"),
  shell("git -c user.name=a -c user.email=a@b commit -qm A"),
  { call: "done", with: { summary: "Changed." } },
  { result: {} },
];

test("the files that a session changed are shown with their diffs, as text and without secrets, and searched", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Change" }],
    acts: { 1: [changes] },
    git: true,
  });
  const { panel } = await freshPanel({ project: loop.project, readOnly: true });
  const run = loop.run();
  await expect.poll(() => loop.started().length, { timeout: 30_000 }).toBe(1);
  const session = loop.started()[0]?.session;
  const { page, seen } = await openPage(panel, `/sessions?session=${session}&part=files`);
  const pane = page.getByRole("complementary", { name: /^Session / });
  const item = (name: string) => pane.getByRole("listitem").filter({ hasText: name });
  const summary = (name: string) => item(name).locator("summary");
  await summary("many-9").waitFor();
  // Hostile names and lines are texts.
  await summary("a.txt").click();
  await item("a.txt").getByText("+<img src=x onerror=alert(1)>", { exact: false }).waitFor();
  const named = await pane.locator("summary").allTextContents();
  expect(named.filter((text) => text.includes("<b>"))).toHaveLength(1);
  expect((await pane.textContent()) ?? "").not.toContain("\u202e");
  expect(await pane.locator("img, b").count()).toBe(0);
  // Secrets are not shown.
  await summary("settings.txt").click();
  await item("settings.txt").getByText("+TOKEN=[masked]").waitFor();
  await summary(".env").click();
  await item(".env").getByText("Not shown: its name looks like that of a secret.").waitFor();
  expect((await pane.textContent()) ?? "").not.toContain("ghp_");
  expect(await barriersOn(page)).toEqual([]);
  // A running session's diff follows its files, and an ended one's stays.
  writeFileSync(loop.path(".ralph/told"), "");
  await item("a.txt").getByText("+three").waitFor();
  expect(await run).toMatchObject({ exitCode: 0, stderr: "" });
  await pane.getByText(/^Its last commit, [0-9a-f]{8}, compared with/).waitFor();
  await item("a.txt").getByText("+three").waitFor();
  expect(await summary(".env").count()).toBe(0);
  // Of too many open diffs the first are closed.
  for (const n of [0, 1, 2, 3, 4, 5, 6, 7, 8]) await summary(`many-${n}`).click();
  await pane.getByText("a.txt was closed: at most 10 diffs are open at once.").waitFor();
  await item("many-8").getByText("+8").waitFor();
  expect(await pane.locator("details[open]").count()).toBe(10);
  // A search by a changed line.
  await page.keyboard.press("/");
  await page.keyboard.type("three");
  await expect.poll(() => pane.locator("summary").count()).toBe(1);
  await summary("a.txt").waitFor();
  await page.keyboard.type("-hundred");
  await pane.getByText("No path and no changed line has this text.").waitFor();
  await page.getByRole("searchbox", { name: "Search the changes" }).fill("");
  await summary("many-9").waitFor();
  // A phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await summary("<b>").click();
  await item("<b>").getByText("0007").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await barriersOn(page)).toEqual([]);
  // The past has the list of files, which can be scrolled.
  const head = await page.evaluate<number>(
    "fetch('/api/session_totals').then((a) => a.json()).then((a) => a.position)",
  );
  await page.goto(new URL(`/sessions?session=${session}&part=files&at=${head}`, panel.address).href);
  const recorded = page.getByRole("region", { name: "Recorded files" });
  await recorded.getByText("Diffs are shown only in the present.", { exact: false }).waitFor();
  await recorded.getByText("settings.txt").waitFor();
  await page.setViewportSize({ width: 1280, height: 260 });
  await recorded.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  expect(await recorded.evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
  expect(await barriersOn(page)).toEqual([]);
  expect(seen).toEqual({ faults: [], strangers: [] });
});
