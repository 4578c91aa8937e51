import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { taskDetails } from "../../src/queries/tasks.ts";
import { reduced, rowsIn, task } from "./loop-drafts.ts";

/* Catches: words shown that were taken back, a signature under words that its writer never wrote. */

const added = (fields: Partial<Draft<"comment.added">> = {}): Draft<"comment.added"> => ({
  type: "comment.added",
  actor: "agent",
  payload: { task: 1, author: "backend", body: "First." },
  ...fields,
});
const changed = (body: string, actor: string): Draft<"comment.changed"> => ({
  type: "comment.changed",
  actor,
  payload: { task: 1, comment: 2, body },
});

test("a comment's row has its present words, who wrote them, and when they were changed", async () => {
  const all = { task: 1, author: "Ada", body: "Now.", discipline: "web", priority: "high" } as const;
  const readModel = await reduced(
    task(1),
    added(),
    added({ actor: "human", payload: all }),
    changed("Second.", "agent"),
    changed("Third.", "agent"),
  );
  const sql = `SELECT id, author, actor, body, discipline, priority, updated > created AS later, changed_position
    FROM comments`;
  expect(rowsIn(readModel, sql)).toEqual([
    {
      ...{ id: 2, author: "backend", actor: "agent", body: "Third.", discipline: null, priority: null },
      ...{ later: 1, changed_position: 5 },
    },
    {
      ...{ id: 3, author: "Ada", actor: "human", body: "Now.", discipline: "web", priority: "high" },
      ...{ later: null, changed_position: null },
    },
  ]);
});

test("who gives other words to another's comment signs for them", async () => {
  const readModel = await reduced(task(1), added(), changed("Second.", "human"));
  expect(rowsIn(readModel, "SELECT author, actor, body FROM comments")).toEqual([
    { author: "human", actor: "human", body: "Second." },
  ]);
});

test("a timeline has the present words of comments, and none that is deleted", async () => {
  const readModel = await reduced(
    task(1),
    added(),
    added({ payload: { task: 1, author: "frontend", body: "Other." } }),
    changed("Second.", "agent"),
    { type: "comment.deleted", actor: "agent", payload: { task: 1, comment: 3 } },
  );
  expect(taskDetails(readModel, 1)?.timeline).toMatchObject([
    { id: 2, task_id: 1, session_id: null, author: "backend", signal_verb: null, body: "Second." },
  ]);
});

test("a timeline names the real author of each entry, whatever its signature", async () => {
  const payload = { task: 1, author: "human", body: "Yes." };
  const readModel = await reduced(
    task(1),
    added({ actor: "human", payload }),
    added({ payload }),
    { type: "session.started", actor: "human", payload: { task: 1, session: "s-1", forced: false } },
    { type: "signal.done", actor: "agent", payload: { task: 1, session: "s-1", summary: "All." } },
  );
  const timeline = taskDetails(readModel, 1)?.timeline;
  expect(timeline?.map(({ author, by }) => [author, by])).toEqual([
    ["human", "human"],
    ["human", "agent"],
    ["general", "agent"],
  ]);
});
