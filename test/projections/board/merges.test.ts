import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { given } from "./given.ts";
import { created, done, ended, partial, set, started, stuck } from "./history.ts";

/* Rules.md, Merges. Catches: a merge that moves a status, a dependent that waits for a task which was only taken up again. */

const reopened: Draft = { type: "merge.reopened", actor: "human", payload: { task: 1 } };
const doneOnce = [
  created(1),
  created(2, { depends_on: [1] }),
  started("s-1"),
  done(),
  ended("exited", "s-1"),
];
const isReady = (board: Awaited<ReturnType<typeof given>>, task: number) =>
  board.tasks.get(task)?.status === "pending" && board.tasks.get(task)?.open_dependencies === 0;

test("a task that is taken up again for its merge is pending with its stuck count, and what depends on it stays ready", async () => {
  const board = await given(...doneOnce);
  expect(isReady(board, 2)).toBe(true);
  await board.add(reopened);
  expect(board.tasks.get(1)).toMatchObject({ status: "pending", stuck_count: 0 });
  expect(isReady(board, 2)).toBe(true);
  await board.add(started("s-2"), stuck("No.", { session: "s-2" }), ended("exited", "s-2"));
  expect(board.tasks.get(1)).toMatchObject({ status: "pending", stuck_count: 1 });
  expect(isReady(board, 2)).toBe(true);
});

test("set by hand it holds up again what depends on it, and done again it is as any other", async () => {
  const byHand = await given(...doneOnce, reopened, set(1, "pending"));
  expect(isReady(byHand, 2)).toBe(false);
  const again = await given(
    ...[...doneOnce, reopened, started("s-2"), done({ session: "s-2" }), ended("exited", "s-2")],
    set(1, "pending"),
  );
  expect(again.tasks.get(1)?.reopened_for_merge).toBe(0);
  expect(isReady(again, 2)).toBe(false);
});

test("a task that is not done is not taken up again, nor one that is worked on", async () => {
  const pending = await given(created(1), reopened);
  expect(pending.tasks.get(1)).toMatchObject({ status: "pending", reopened_for_merge: 0 });
  const open = await given(...doneOnce, started("s-2", 1, { forced: true }), reopened, partial());
  expect(open.tasks.get(1)).toMatchObject({ status: "in_progress", reopened_for_merge: 0 });
});
