import { expect, test } from "vitest";
import type { Draft } from "../../src/events/types/index.ts";
import { repeatingTasks, taskRepetitions } from "../../src/queries/repetitions.ts";
import { attempt, done, end, partial, reduced, start, task } from "./loop-drafts.ts";

/* Catches: circles that are not seen, or seen where there are none: another task, another gate, a repeated call. */
async function repetitionsOf(...events: readonly Draft[]): Promise<string[]> {
  const { database } = await reduced(...events);
  return database
    .prepare<[], string>(
      `SELECT id || ' repeats ' || repeats || ', ' || times || ' times, task ' || task_id || ', ' || kind || ' ' || gate
       FROM repetitions ORDER BY id`,
    )
    .pluck()
    .all();
}

const dates = (session: string, task = 7) => partial(task, session, "The dates.");

test.each([
  [
    "the same remaining work in one session after the other is a repetition, and a third time has times 3",
    [
      partial(7, "s-1", "The dates, and the quotes."),
      partial(7, "s-2", "  the dates,\nand the   QUOTES. "),
      partial(7, "s-3", "The dates, and the quotes."),
    ],
    ["2 repeats 1, 2 times, task 7, remaining 0", "3 repeats 2, 3 times, task 7, remaining 0"],
  ],
  [
    "different remaining work in between starts a new count",
    [dates("s-1"), partial(7, "s-2", "The quotes."), dates("s-3"), dates("s-4")],
    ["4 repeats 3, 2 times, task 7, remaining 0"],
  ],
  [
    "the same said twice in one session, or on two tasks, is no repetition",
    [dates("s-1"), dates("s-1"), dates("s-2", 8)],
    [],
  ],
  [
    "the same said twice in one session is repeated by the next one",
    [dates("s-1"), dates("s-1"), dates("s-2")],
    ["3 repeats 1, 2 times, task 7, remaining 0"],
  ],
])("%s", async (_what, said, found) => {
  expect(await repetitionsOf(...said)).toEqual(found);
});

test.each([
  ["a duration", "1 failing (230ms) in 2.31s", "1 failing (1,204 ms) in 12 s"],
  ["a time of day", "Start at 12:10:49", "Start at 9:01:07.250"],
  ["a date and time", "at 2026-11-21T12:10:49.123Z: no", "at 2026-11-22T08:00:00Z: no"],
  ["layout", "1  failing\n\n", "1 failing"],
])("equal failures of a gate that differ only in %s are equal", async (_what, first, second) => {
  expect(await repetitionsOf(attempt(7, first), attempt(7, second))).toEqual([
    "2 repeats 1, 2 times, task 7, gate_output 1",
  ]);
});

test.each([
  ["1 failing", "2 failing"],
  ["line 12: no", "line 13: no"],
  ["expected 2 seats", "expected 3 seats"],
])("the failures %j and %j are not equal", async (first, second) => {
  expect(await repetitionsOf(attempt(7, first), attempt(7, second))).toEqual([]);
});

test("a passed gate starts a new count, a timeout with exit code 0 does not pass, and gates are counted separately", async () => {
  const passed = attempt(7, "ok", { exit_code: 0 });
  expect(await repetitionsOf(attempt(7, "no"), passed, attempt(7, "no"))).toEqual([]);
  expect(
    await repetitionsOf(attempt(7, "no"), attempt(7, "no", { exit_code: 0, timed_out: true })),
  ).toHaveLength(1);
  expect(await repetitionsOf(attempt(7, "no"), attempt(7, "no", { gate: 2 }))).toEqual([]);
  expect(await repetitionsOf(attempt(7, "no"), attempt(7, "", { stderr: "no" }))).toHaveLength(1);
});

test("a repetition stays open until something else is reported, and its task is listed meanwhile", async () => {
  const first = [
    task(7, { title: "Export" }),
    task(8),
    start(7, "s-1"),
    partial(7, "s-1", "The dates."),
    end("s-1"),
    start(7, "s-2"),
    partial(7, "s-2", "The dates."),
    end("s-2"),
  ];
  const readModel = await reduced(...first);
  expect(taskRepetitions(readModel, 7)).toEqual([
    { id: 7, kind: "remaining", gate: 0, repeats: 4, times: 2, created: expect.any(String), lasts: true },
  ]);
  expect(taskRepetitions(readModel, 8)).toEqual([]);
  expect(repeatingTasks(readModel)).toEqual([
    { task: 7, title: "Export", kind: "remaining", gate: 0, times: 2, position: 7 },
  ]);

  const moved = await reduced(...first, start(7, "s-3"), partial(7, "s-3", "The quotes."));
  expect(taskRepetitions(moved, 7).map(({ lasts }) => lasts)).toEqual([false]);
  expect(repeatingTasks(moved)).toEqual([]);
  const finished = await reduced(...first, start(7, "s-3"), done(7, "s-3", "All of it."), end("s-3"));
  expect(repeatingTasks(finished)).toEqual([]);
});
