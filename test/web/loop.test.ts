// @module-tag chromium
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBundle } from "../children.ts";
import { givenLoop, statuses } from "../loop/given-loop.ts";
import { type Act, works } from "../loop/script.ts";
import { anotherPage, freshPanel, openPage, useBrowser } from "./support/browser.ts";

useBrowser();
const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");

const asks: readonly Act[] = [
  { init: "connected" },
  { call: "ask", with: { question: "Which date format?", blocking: true, options: ["ISO", "German"] } },
  { call: "partial", with: { summary: "The writer.", remaining: "The dates." } },
  { result: {} },
];
const worksUntilTold: readonly Act[] = [
  { init: "connected" },
  { call: "learned", with: { text: "Redis is on port 6380.", kind: "discovery" } },
  { until: ".ralph/told" },
  { call: "done", with: { summary: "The cache." } },
  { result: {} },
];

test("two pages follow a running loop, which continues with an answer from one of them", async () => {
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }, { title: "Cache" }],
    acts: { 1: [asks, works("The dates, too.")], 2: [worksUntilTold] },
  });
  const { panel } = await freshPanel({ project: loop.project });
  const { page: board, context, seen } = await openPage(panel, "/board");
  const inbox = await anotherPage(context, panel, "/inbox");
  await inbox.page.getByText("Nothing needs you").first().waitFor();
  const run = loop.run();
  const question = inbox.page.getByRole("heading", { name: "Which date format?" });
  await question.waitFor();
  await expect.poll(() => inbox.page.title()).toBe("(1) Inbox · signalbox");
  const column = (name: string) => board.getByRole("region", { name, exact: true });
  await column("Needs input").getByText("Export").waitFor();
  await column("In progress").getByText("Cache").waitFor();
  await inbox.page.getByRole("button", { name: "ISO" }).click();
  await question.waitFor({ state: "detached" });
  await column("Ready").getByText("Export").waitFor();
  writeFileSync(loop.path(".ralph/told"), "");
  await board.getByRole("button", { name: /^Done 2/ }).waitFor();
  expect(await run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(Object.values(await statuses(loop.project))).toEqual(["done", "done"]);
  await inbox.page.goto(new URL("/tasks/1", inbox.page.url()).href);
  await inbox.page.getByText("The dates, too.").waitFor();
  expect(seen).toEqual({ faults: [], strangers: [] });
  expect(inbox.seen).toEqual({ faults: [], strangers: [] });
});
