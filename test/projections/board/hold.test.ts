import { expect, test } from "vitest";
import type { Draft } from "../../../src/events/types/index.ts";
import type { CancelCause } from "../../../src/events/types/sessions.ts";
import { given } from "./given.ts";
import { created, done, ended, partial, set, started, stuck } from "./history.ts";

/*
 * After three cancelled sessions in a row a task is held (docs/decisions/0039): it stays pending, and is not started again by itself.
 * Catches: a cause that is counted against a task though it waits for an outage, a hold that never ends, a status that a hold changes.
 */
let sessions = 0;

/** A session from its start to its end, with what its agent said. */
function session(end: (id: string) => Draft, said: (id: string) => readonly Draft[] = () => []): Draft[] {
  sessions += 1;
  const id = `s-${sessions}`;
  return [started(id), ...said(id), end(id)];
}

const cancelled = (cause?: CancelCause, reason = "its driver was gone") =>
  session((id) => ended("cancelled", id, { reason, ...(cause && { cause }) }));

const HELD = [created(1), ...cancelled("driver"), ...cancelled("denied"), ...cancelled("tools")];

test("three cancelled sessions in a row hold the task since the end of the third, and change no status", async () => {
  const board = await given(...HELD);
  expect(board.tasks.get(1)).toMatchObject({
    status: "pending",
    stuck_count: 0,
    cancelled_in_a_row: 3,
    held_at: 7,
  });
  expect(board.tasks.get(1)).toMatchObject({ inferred_stucks: 0, partials_in_a_row: 0 });
  expect(board.changesOf(1).at(-1)).toBe("in_progress → pending, settlement 7d, [7]");
  expect(await heldAfter(...HELD.slice(0, -2))).toBe(false);
});

test("a held task stays held when it is started by force and cancelled again", async () => {
  const board = await given(...HELD, ...cancelled("model"));
  expect(board.tasks.get(1)).toMatchObject({ cancelled_in_a_row: 4, held_at: 7 });
});

test.each(["driver", "budget", "denied", "tools", "model"] as const)(
  "three sessions that %s cancelled hold a task",
  async (cause) => {
    expect(await heldAfter(created(1), ...[1, 2, 3].flatMap(() => cancelled(cause)))).toBe(true);
  },
);

test.each(["setup", "limit", "outage", undefined] as const)(
  "any number of sessions that %s cancelled holds nothing, and ends no row",
  async (cause) => {
    const many = Array.from({ length: 40 }, () => cancelled(cause)).flat();
    expect(await heldAfter(created(1), ...many)).toBe(false);
    expect(await heldAfter(...HELD.slice(0, -2), ...many, ...cancelled("denied"))).toBe(true);
  },
);

test.each<[string, Draft[]]>([
  ["a session that ends by itself", session((id) => ended("exited", id))],
  [
    "a session that closed with partial before it was cancelled",
    session(
      (id) => ended("cancelled", id, { cause: "budget" }),
      (id) => [partial("The rest.", { session: id })],
    ),
  ],
  [
    "a session that is done though its driver died",
    session(
      (id) => ended("cancelled", id, { cause: "driver" }),
      (id) => [done({ session: id })],
    ),
  ],
  ["a human who sets the task pending", [set(1, "pending")]],
])("%s ends the row and the hold", async (_what, events) => {
  const board = await given(...HELD, ...events);
  expect(board.tasks.get(1)).toMatchObject({ cancelled_in_a_row: 0, held_at: 0 });
});

test("a stuck that was said in a cancelled session counts as stuck, and in the row", async () => {
  const said = session(
    (id) => ended("cancelled", id, { cause: "budget" }),
    (id) => [stuck("No GPU.", { session: id })],
  );
  const board = await given(...HELD.slice(0, -2), ...said);
  expect(board.tasks.get(1)).toMatchObject({ stuck_count: 1, cancelled_in_a_row: 3, held_at: 8 });
});

async function heldAfter(...events: readonly Draft[]): Promise<boolean> {
  return ((await given(...events)).tasks.get(1)?.held_at ?? 0) > 0;
}
