import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { addComment } from "../../src/operations/comments.ts";
import { freshTask } from "./support/agent.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, openPage, useBrowser } from "./support/browser.ts";
import { learnedOf } from "./support/happens.ts";

useBrowser();

async function given(comments: number) {
  const { project, panel } = await freshPanel();
  const task = await freshTask(project, { title: "Lay the points" });
  for (let nth = 0; nth < comments; nth++)
    await project.decide(addComment({ task, author: "Ada", body: `Say ${nth}.` }));
  const cookie = await cookieOf(panel);
  const get = (query: string, headers: Record<string, string> = { cookie }) =>
    ask(panel, `/api/log.jsonl?${query}`, { headers });
  return { project, panel, task, get };
}

/** As `signalbox log --json` prints them. */
const linesOf = async (project: Project, from = 1, to = Number.POSITIVE_INFINITY) =>
  (await project.log.read(0, 10_000))
    .filter(({ position }) => position >= from && position <= to)
    .map((event) => JSON.stringify(event));

test("the log can be downloaded as JSON lines: all, a range, or a filter's matches", async () => {
  const { project, get, task } = await given(4);
  const all = await get("");
  expect(all.headers).toMatchObject({
    "content-type": "application/x-ndjson; charset=utf-8",
    "content-disposition": expect.stringMatching(/^attachment; filename="signalbox-log-1-\d+\.jsonl"$/),
  });
  expect(all.body.trimEnd().split("\n")).toEqual(await linesOf(project));
  const head = await project.log.head();
  const range = await get(`from=${head - 2}&to=${head - 1}`);
  expect(range.body.trimEnd().split("\n")).toEqual(await linesOf(project, head - 2, head - 1));
  const filtered = await get(`task=${task}&type=comment&text=say+2`);
  expect(
    filtered.body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).payload.body),
  ).toEqual(["Say 2."]);
  expect((await get("actor=nobody")).body).toBe("");
  expect((await get(`from=${head + 1}`)).body).toBe("");
});

test("a download only needs the cookie, and reports invalid parameters", async () => {
  const { get } = await given(0);
  expect(await get("", {})).toMatchObject({ status: 401 });
  const wrong = await get("type=nonsense");
  expect(wrong.status).toBe(400);
  expect(JSON.parse(wrong.body).error.message).toContain("nonsense");
  expect(await get("from=first")).toMatchObject({ status: 400 });
});

test("a download holds a page of the log, however long that is", async () => {
  const { project, get, task } = await given(0);
  const before = await project.log.head();
  const comments = learnedOf(
    { task, session: "s-1" },
    Array.from({ length: 2_500 }, (_, nth) => `Learning ${nth}.`),
  );
  await project.log.append(comments);
  const read = vi.spyOn(project.log, "read");
  const { body } = await get(`from=${before + 1}&to=${before + 2_500}`);
  const ofDownload = read.mock.calls.filter(([after]) => after >= before);
  expect(Math.max(...ofDownload.map(([, limit]) => limit))).toBeLessThanOrEqual(1_000);
  read.mockRestore();
  expect(body.trimEnd().split("\n")).toEqual(await linesOf(project, before + 1));
});

test("in the log view a link downloads the shown events, and the range of the time bar", {
  tags: "chromium",
}, async () => {
  const { project, panel } = await given(40);
  const { page, seen } = await openPage(panel, "/log?text=Say 3");
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download/ }).click(),
    ]);
    return readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\n");
  };
  await page.getByText("11 found").waitFor();
  expect((await download()).map((line) => JSON.parse(line).payload.body)).toContain("Say 39.");
  await page.goto(`${new URL(page.url()).origin}/log?range=10-25`);
  await page.getByRole("link", { name: "Download the range as JSONL" }).waitFor();
  expect(await download()).toEqual(await linesOf(project, 11, 25));
  expect(seen).toEqual({ faults: [], strangers: [] });
});
