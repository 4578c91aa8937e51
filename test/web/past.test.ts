import { expect, test } from "vitest";
import { redact } from "../../src/history/redaction/redact.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

usePanels();

async function given(...titles: readonly string[]) {
  const { project, db } = await freshProject();
  for (const title of titles) await project.decide(createTask({ title }));
  const { panel } = await freshPanel({ project });
  const cookie = await cookieOf(panel);
  const get = async (path: string) => {
    const { status, body } = await ask(panel, `/api/${path}`, { headers: { cookie } });
    return { status, told: JSON.parse(body) };
  };
  return { project, db, get };
}

test("simultaneous questions about several positions are each answered for their own", async () => {
  const titles = Array.from({ length: 20 }, (_, nth) => `Task of ${nth + 3}`);
  const { get } = await given(...titles);
  const positions = [3, 22, 7, 15, 0, 9, 22, 4];
  const answers = await Promise.all(
    positions.flatMap((at) => [get(`overview?at=${at}`), get(`log?after=0&limit=100&at=${at}`)]),
  );
  expect(answers.map(({ told }) => told.position)).toEqual(positions.flatMap((at) => [at, at]));
  const pending = answers
    .filter((_, nth) => nth % 2 === 0)
    .map(({ told }) => told.answer.counts.pending ?? 0);
  expect(pending).toEqual(positions.map((at) => Math.max(0, at - 2)));
  expect(answers.filter((_, nth) => nth % 2 === 1).map(({ told }) => told.answer.length)).toEqual(positions);
});

test("after the last event there is nothing, unless the nearest is requested", async () => {
  const { get, project } = await given("Lay the points");
  const head = await project.log.head();
  expect(await get("overview?at=99")).toMatchObject({ status: 404, told: { error: { code: "not_found" } } });
  expect(await get("overview?at=99&nearest=1")).toMatchObject({ status: 200, told: { position: head } });
});

test("a redacted text is in no past position requested afterwards", async () => {
  const { get, project, db } = await given("Export with sk-live-7f3a9c0d", "Mail it");
  const secret = async () => JSON.stringify(await get("position?position=3&at=4"));
  expect(await secret()).toContain("sk-live");
  await redact(project.store, db, { position: 3, reason: "a live key" }, { actor: "human", wait_ms: 5_000 });
  expect(await secret()).not.toContain("sk-live");
  const compared = await get("compare?at=2&to=4");
  expect(compared.told.answer.rows).toMatchObject([
    { task: 1, what: "task", from: null, to: "pending", events: [3] },
    { task: 2, what: "task", from: null, to: "pending", events: [4] },
  ]);
  expect(JSON.stringify(compared)).not.toContain("sk-live");
});

test("a position shows its event and changes, a range its marks", async () => {
  const { get, project } = await given("Lay the points", "Mail it");
  const head = await project.log.head();
  expect((await get("position?position=3")).told.answer).toMatchObject({
    type: "task.created",
    stream: "task-1",
    changed: { tasks: [1], sessions: [], learnings: [] },
  });
  expect((await get("position?position=0")).told.answer).toBeNull();
  const { told } = await get(`travel?from=0&to=${head}`);
  expect(told.answer.map(({ first, last, marks }: Record<string, unknown>) => [first, last, marks])).toEqual([
    [1, 1, {}],
    [2, 2, {}],
    [3, 3, { status: 1 }],
    [4, 4, { status: 1 }],
  ]);
  expect((await get("marks?position=3")).told.answer).toEqual({ previous: null, next: 4 });
});
