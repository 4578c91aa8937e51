import { expect, test } from "vitest";
import { sameContent } from "../../src/events/append.ts";
import { decodeEvent, encodeEvent, storedDefinition } from "../../src/events/encoding.ts";
import type { NewEvent } from "../../src/events/event.ts";
import type { EventRecord } from "../../src/events/event-record.ts";
import { taskCreated } from "../../src/events/types/tasks.ts";
import { toIsoTime } from "../../src/lib/time.ts";
import { comment, id, NOON, numbers, stateReport } from "./given.ts";

/* Catches: a message that leaves out what is wrong, or what to do; content that is taken for the same and is not. */
const refused: readonly [string, NewEvent, string, string][] = [
  [
    "an unknown type",
    { ...comment("x"), type: "comment.vanished" },
    "unknown_event_type",
    '"comment.vanished" is not an event type; docs/events.md lists them.',
  ],
  [
    "an id that is no UUID",
    { ...comment("x"), id: "7" },
    "invalid_event",
    "The id of a comment.added is not a lower-case UUID.",
  ],
  [
    "a causation that is no UUID",
    { ...comment("x"), causation: "position 3" },
    "invalid_event",
    "The causation of a comment.added is not a lower-case UUID.",
  ],
  [
    "a value that JSON has no form for",
    stateReport({ values: [1, Number.NaN] }),
    "invalid_event",
    "Nothing was recorded (session.state_reported): payload.metadata.values[1] is a number that JSON cannot represent.",
  ],
  [
    "an empty actor",
    { ...comment("x"), actor: "" },
    "invalid_event",
    "The actor of a comment.added must be a name of 1 to 200 characters.",
  ],
  [
    "a correlation of two lines",
    { ...comment("x"), correlation: "a\nb" },
    "invalid_event",
    "The correlation of a comment.added must be a name of 1 to 200 characters.",
  ],
  [
    "two fields of another type",
    { ...comment("x"), payload: { task: "7", author: "human", body: 1 } },
    "invalid_event",
    'Nothing was recorded (comment.added): `task` is "7", it must be a number; `body` is 1, it must be text.',
  ],
  [
    "a field that nobody knows",
    { ...comment("x"), payload: { task: 7, author: "human", body: "x", mood: "good" } },
    "invalid_event",
    'Nothing was recorded (comment.added): `payload` has no field "mood".',
  ],
];

test.each(refused)("%s is refused with a message that names the fault", (_what, event, code, message) => {
  expect(() => encodeEvent(event)).toThrow(expect.objectContaining({ code, message }));
});

test("a name may have 200 characters", () => {
  const name = "n".repeat(200);
  expect(encodeEvent({ ...comment("x"), actor: name, correlation: name })).toMatchObject({
    actor: name,
    correlation: name,
  });
});

test("the first five of many faults are reported, each with its path", () => {
  const payload = { ...taskCreated.example, depends_on: [1, -1, -2, -3, -4, -5, -6] };
  const told = numbers(5)
    .map((index) => `\`depends_on.${index}\` is ${-index}, it must be at least 1`)
    .join("; ");
  expect(() => encodeEvent({ type: "task.created", payload, actor: "human" })).toThrow(
    expect.objectContaining({ message: `Nothing was recorded (task.created): ${told}.` }),
  );
});

test.each([
  ["a newer schema version", { schemaVersion: 3 }, "a comment.added of schema version 3"],
  ["an unknown type", { type: "comment.liked" }, "a comment.liked of schema version 2"],
])("an event of %s is refused with its position and the remedy", (_what, fields, what) => {
  const message =
    `Position 12 holds ${what}, which this version of signalbox does not know. ` +
    "A newer version wrote it: update signalbox here.";
  const refusal = expect.objectContaining({ code: "newer_schema", message });
  expect(() => storedDefinition(stored(comment("x"), fields))).toThrow(refusal);
});

test("a payload that is not JSON is reported with its position and cause", () => {
  expect(() => decodeEvent(stored(comment("x"), { payload: '{"task":7' }))).toThrow(
    expect.objectContaining({
      code: "damaged",
      message: "The payload at position 12 is not JSON; the log is damaged.",
      cause: expect.any(SyntaxError),
    }),
  );
});

test("content is the same only if type, stream, actor, causation, correlation and payload are", () => {
  const event = { type: "blocker.resolved", payload: { task: 7, blocker: 43 }, actor: "human" };
  const encoded = encodeEvent(event);
  expect(sameContent(stored(event), encoded)).toBe(true);
  const differing: readonly Partial<EventRecord>[] = [
    { type: "blocker.dismissed" },
    { stream: "task-8" },
    { actor: "agent" },
    { causation: id(1) },
    { correlation: "s-1" },
    { payload: '{"task":7,"blocker":44}' },
  ];
  for (const fields of differing) expect(sameContent(stored(event, fields), encoded)).toBe(false);
});

/** An event as a log would keep it at position 12, but for the fields that a test gives. */
function stored(event: NewEvent, fields: Partial<EventRecord> = {}): EventRecord {
  return {
    ...encodeEvent(event),
    position: 12,
    id: id(12),
    streamVersion: 1,
    recordedAt: toIsoTime(NOON),
    salt: Buffer.alloc(16),
    leafHash: Buffer.alloc(32),
    ...fields,
  };
}
