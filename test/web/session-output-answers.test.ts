import { appendFileSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { redact } from "../../src/history/redaction/redact.ts";
import { runFolderOf } from "../../src/loop/run-folder.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";
import { ends, projectWith, starts, task } from "./support/work.ts";

usePanels();

async function given({ driver = "d-1" as string | null, host = undefined as string | undefined } = {}) {
  const start = starts("s-1", 1);
  const { project } = await projectWith([
    [9, task(1, "Lay the points of the northern yard")],
    [8, { ...start, payload: { ...start.payload, ...(driver && { driver }), ...(host && { host }) } }],
  ]);
  const { panel } = await freshPanel({ project, readOnly: true });
  const headers = { cookie: await cookieOf(panel) };
  const answer = async (query: string, name = "session_output") => {
    const { status, body } = await ask(panel, `/api/${name}?${query}`, { headers });
    return { status, ...JSON.parse(body) };
  };
  const path = project.store.readModel.database.name;
  const run = runFolderOf(path, "s-1");
  const write = (text: string) => {
    mkdirSync(run.path, { recursive: true });
    appendFileSync(run.outputFile, text);
  };
  return { project, answer, write, path };
}

test("a page of the output grows with its file, also with --read-only", async () => {
  const { answer, write } = await given();
  write("one\n");
  const first = await answer("session=s-1&limit=200");
  expect(first.answer.page).toMatchObject({
    entries: [{ kind: "raw", text: "one", at: 0 }],
    end: 4,
    isEnd: true,
  });
  write("two\n");
  expect((await answer("session=s-1&from=4&nth=0", "session_output_entry")).answer).toMatchObject({
    text: "two",
  });
  expect((await answer("session=s-1&limit=200&from=4")).answer.page.entries).toMatchObject([{ text: "two" }]);
  expect((await answer("session=s-1&limit=200&from=999")).answer.page.entries).toHaveLength(2);
});

test("it is refused for an unknown session, a path and a page that is too long", async () => {
  const { answer, write } = await given();
  write("one\n");
  const unknown = await answer("session=s-2&limit=9");
  expect(unknown).toMatchObject({ status: 404, error: { message: "There is no session s-2." } });
  for (const path of ["../s-1", "..%2F..%2Fdb%2Fralph.db", "s-1%2F..%2Fs-1"])
    expect((await answer(`session=${path}&limit=9`)).status).toBe(404);
  expect((await answer("session=s-1&limit=201")).status).toBe(400);
  expect((await answer("session=s-1&limit=9&from=-1")).status).toBe(400);
  expect((await answer("session=s-1&open=nothing", "session_changes")).status).toBe(400);
  for (const [query, name] of [
    ["session=s-1&limit=9", "session_output"],
    ["session=s-1&text=one", "session_output_find"],
    ["session=s-1&from=0&nth=0", "session_output_entry"],
    ["session=s-1", "session_changes"],
  ] as const)
    expect((await answer(`${query}&at=2`, name)).error.message).toContain("leave out `at`");
});

test("where there is no output, it says why", async () => {
  const missing = async (of: Parameters<typeof given>[0], isOver = false) => {
    const { answer, project } = await given(of);
    if (isOver) await project.log.append([ends("s-1")]);
    return (await answer("session=s-1&limit=9")).answer;
  };
  expect(await missing({ driver: null })).toEqual({ page: null, missing: "no_loop" });
  expect(await missing({ host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11" })).toMatchObject({
    missing: "other_host",
  });
  expect(await missing({})).toMatchObject({ missing: "not_begun" });
  expect(await missing({}, true)).toMatchObject({ missing: "removed" });
});

test("a text that a redaction removes from the log is in no page of the output, and not found", async () => {
  const { project, answer, write, path } = await given();
  const input = { title: "Lay the points of the northern yard" };
  const content = [{ type: "tool_use", name: "Task", input }];
  write(`${JSON.stringify({ type: "assistant", message: { id: "m", content } })}\n`);
  const position = (await project.log.read(0, 50)).find(({ type }) => type === "task.created")?.position ?? 0;
  expect(JSON.stringify(await answer("session=s-1&limit=9"))).toContain("northern yard");
  await redact(project.store, path, { position, reason: "private" }, { actor: "human", wait_ms: 0 });
  const page = await answer("session=s-1&limit=9");
  expect(JSON.stringify(page)).not.toContain("northern");
  expect(page.answer.page.entries).toMatchObject([{ kind: "call", tool: "Task" }]);
  expect((await answer("session=s-1&text=northern", "session_output_find")).answer.entries).toEqual([]);
});
