import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import { learned } from "../given.ts";
import { type GivenBoard, given } from "./given.ts";
import {
  ask,
  created,
  done,
  ended,
  event,
  flag,
  gated,
  missing,
  partial,
  set,
  started,
  stuck,
} from "./history.ts";

/*
 * After three sessions in a row that did not get on, or ten that ended with partial, a human is asked (docs/rules.md, No progress).
 * Catches: a session that changed something and is counted, one that ends a row or lengthens it and must not, a row that goes on after
 * a human's act.
 */
let sessions = 0;

type Said = (id: string) => readonly Draft[];
const PARTIAL: Said = (session) => [partial("The rest.", { session })];

/** A session of task 1 between two fingerprints of its workspace; without the second it has none. */
function session(
  from: string,
  to: string | undefined,
  said: Said = PARTIAL,
  end: Said = exited(to),
): Draft[] {
  sessions += 1;
  const id = `s-${sessions}`;
  return [started(id, 1, { ...(to && { workspace: from }) }), ...said(id), ...end(id)];
}

const exited =
  (workspace?: string): Said =>
  (id) => [ended("exited", id, workspace === undefined ? {} : { workspace })];

const idle = (said?: Said) => session("a", "a", said);
const TWO = [created(1), ...idle(), ...idle()];

const rowsOf = (board: GivenBoard) => {
  const { no_progress_in_a_row, partial_closings_in_a_row, status } = board.tasks.get(1) ?? {};
  return [no_progress_in_a_row, partial_closings_in_a_row, status];
};

test("after the third session in a row that did not get on the task waits for a human, since its end", async () => {
  const board = await given(...TWO);
  expect(rowsOf(board)).toEqual([2, 2, "pending"]);
  await board.add(...idle());
  expect(rowsOf(board)).toEqual([3, 3, "needs_input"]);
  expect(board.tasks.get(1)).toMatchObject({ stalled_at: 10, stalled_by: "no_progress" });
  expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [9,10]");
});

test("one that was started by force does not move where the wait began", async () => {
  const board = await given(...TWO, ...idle(), ...idle());
  expect(board.tasks.get(1)).toMatchObject({ no_progress_in_a_row: 4, stalled_at: 10 });
});

test("a session without a closing verb did not get on either", async () => {
  expect(rowsOf(await given(...TWO, ...idle(() => [])))).toEqual([3, 0, "needs_input"]);
});

test.each<[string, Draft[], number]>([
  ["left its workspace otherwise", session("a", "b"), 0],
  ["opened a question", idle((session) => [ask({ session }), ...PARTIAL(session)]), 0],
  ["opened a blocker", idle((session) => [missing("Redis", { session }), ...PARTIAL(session)]), 0],
  [
    "learned something new",
    idle((session) => [learned("Rows.", { task: 1, session }), ...PARTIAL(session)]),
    0,
  ],
  ["has no fingerprints", session("a", undefined), 2],
  [
    "was cancelled",
    session(
      "a",
      "a",
      () => [],
      (id) => [ended("cancelled", id, { workspace: "a" })],
    ),
    2,
  ],
  ["raised a flag", idle((session) => [flag({ session, severity: "info" }), ...PARTIAL(session)]), 3],
  [
    "asked what blocks nothing",
    idle((session) => [ask({ session, blocking: false }), ...PARTIAL(session)]),
    3,
  ],
])("a session that %s", async (_what, events, row) => {
  expect((await given(...TWO, ...events)).tasks.get(1)?.no_progress_in_a_row).toBe(row);
});

test("what was learned is not new if the session's end says so", async () => {
  const known = idle((session) => [learned("Rows.", { task: 1, session }), ...PARTIAL(session)]);
  const last = known.at(-1);
  if (last?.type !== "session.ended") throw new Error("The session does not end.");
  last.payload.learned_nothing_new = true;
  expect(rowsOf(await given(...TWO, ...known))).toEqual([3, 3, "needs_input"]);
});

test("a done whose gates did not pass ends both rows", async () => {
  const [, ...two] = TWO;
  const board = await given(created(1, gated({})), ...two, ...idle((session) => [done({ session })]));
  expect(rowsOf(board)).toEqual([0, 0, "pending"]);
});

test("after ten partial sessions a human is asked, though each of them changed something", async () => {
  const busy = (count: number) =>
    Array.from({ length: count }, (_, nth) => session(`${nth}`, `${nth + 1}`)).flat();
  const board = await given(
    created(1),
    ...busy(9),
    ...session("a", "b", (id) => [stuck("No.", { session: id })]),
  );
  expect(rowsOf(board)).toEqual([0, 0, "pending"]);
  await board.add(...busy(9));
  expect(rowsOf(board)).toEqual([0, 9, "pending"]);
  await board.add(...busy(1));
  expect(rowsOf(board)).toEqual([0, 10, "needs_input"]);
  expect(board.tasks.get(1)?.stalled_by).toBe("partials");
});

test("a policy that was set is a cause", async () => {
  const policy = event("policy.set", { policy: "no_progress", value: 1 });
  const board = await given(created(1), policy, ...idle());
  expect(board.changesOf(1).at(-1)).toBe("in_progress → needs_input, settlement 7b, [2,4,5]");
});

test.each<[string, Draft]>([
  ["lets it go on", event("task.continued", { task: 1, hint: "Read the README." })],
  ["sets it to pending", set(1, "pending")],
])("a human who %s begins the row anew", async (_what, act) => {
  const board = await given(...TWO, ...idle(), act);
  expect(rowsOf(board)).toEqual([0, 0, "pending"]);
  expect(board.tasks.get(1)).toMatchObject({ stalled_at: 0, stalled_by: null });
  await board.add(...idle(), ...idle());
  expect(rowsOf(board)).toEqual([2, 2, "pending"]);
});

test("what a human lets go on still waits for its open question", async () => {
  const asked = session("a", "a", (id) => [ask({ session: id }), ...PARTIAL(id)]);
  const policy = event("policy.set", { policy: "partials", value: 1 });
  const board = await given(created(1), policy, ...asked, event("task.continued", { task: 1 }));
  expect(rowsOf(board)).toEqual([0, 0, "needs_input"]);
});
