import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { comment, comments, environmentAt, id, NOON } from "./given.ts";

/* Catches: a refusal that does not say what the log holds, or what to do. Each of them is one place for every log. */
async function givenLog(): Promise<EventLog> {
  const log = openMemoryLog(environmentAt({ now: NOON }, "refusals"));
  await log.append([{ ...comment("first"), id: id(1) }, comment("second")]);
  return log;
}

const refused: readonly [string, Parameters<EventLog["append"]>, string, string][] = [
  [
    "a batch that is too large",
    [comments(10_001)],
    "invalid_event",
    "A batch takes at most 10000 events; this one has 10001. Split it.",
  ],
  [
    "one id twice in a batch",
    [[comment("a"), comment("b")].map((event) => ({ ...event, id: id(5) }))],
    "id_conflict",
    "Two events of one batch have the same id; each event needs its own.",
  ],
  [
    "a batch of which a part is there",
    [
      [
        { ...comment("first"), id: id(1) },
        { ...comment("new"), id: id(6) },
      ],
    ],
    "id_conflict",
    `Some events of the batch are already in the log, but not comment.added ${id(6)}. Send the original batch unchanged.`,
  ],
  [
    "another content under a known id",
    [[{ ...comment("altered"), id: id(1) }]],
    "id_conflict",
    `The id ${id(1)} at position 1 belongs to an event with other content. A new event needs a new id.`,
  ],
  [
    "a head that has moved",
    [[comment("new")], { expectedHead: 1 }],
    "head_moved",
    "The log's head is 2, not 1. Read the new state and decide again.",
  ],
  [
    "a stream that has moved",
    [[comment("new")], { expectedStreamVersion: { stream: "task-7", version: 1 } }],
    "stream_moved",
    "Stream task-7 is at version 2, not 1. Read the new state and decide again.",
  ],
];

test.each(refused)(
  "%s is refused with a message that says what to do",
  async (_what, call, code, message) => {
    const log = await givenLog();
    await expect(log.append(...call)).rejects.toMatchObject({ name: "LogError", code, message });
  },
);

test("a wrong clock, and a log that one wrote to, are refused with a message that names the time", async () => {
  const clock = { now: Date.UTC(10_000, 0) * 1_000 };
  const log = openMemoryLog(environmentAt(clock, "refusals"));
  const timeOut = { name: "LogError", code: "time_out_of_range" };
  await expect(log.append([comment("in the year 10000")])).rejects.toMatchObject({
    ...timeOut,
    message: expect.stringContaining("clock is past the year 9999"),
  });
  clock.now = Date.UTC(9_999, 11, 31, 23, 59, 59, 999) * 1_000;
  await log.append(comments(1_000));
  clock.now = NOON;
  await expect(log.append([comment("behind the last time")])).rejects.toMatchObject({
    ...timeOut,
    message: expect.stringMatching(/position 1000\) was recorded at 9999-12-31.* by a wrong clock.*backup/),
  });
});

test("a closed log refuses with a hint to open it again, and emits nothing to a follower", async () => {
  const log = await givenLog();
  await log.close();
  await expect(log.head()).rejects.toMatchObject({
    code: "closed",
    message: "This log is closed; open it again.",
  });
  const seen: unknown[] = [];
  log.follow(0).subscribe({ next: () => seen.push("events"), complete: () => seen.push("complete") });
  expect(seen).toEqual(["complete"]);
});
