import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, name, position } from "./fields.ts";
import { structural } from "./structure.ts";

const noticesStream = (): string => "notices";

/** The id of a message to people: of the event that it is about, or derived from several. */
const noticeId = structural(z.uuid());

const attempt = { notice: noticeId, channel: name, attempt: z.int().min(1) };

const noticeStarted = defineEvent({
  type: "notice.started",
  version: 1,
  description:
    "A process began to tell people something on a channel; without an end it is unknown whether they were told, and it is told again under the same id.",
  payload: z.strictObject({
    ...attempt,
    /** What it tells: for each item its kind, and the position of the event that it is about. */
    items: z
      .array(z.strictObject({ kind: structural(z.string().max(40)), position }))
      .min(1)
      .max(200),
    /** An id of the process. */
    notifier: name,
  }),
  stream: noticesStream,
  timeline: ({ channel, items }) =>
    `Telling ${items.length === 1 ? "a notice" : `${items.length} notices`} on ${channel}.`,
  example: {
    notice: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
    channel: "phone",
    attempt: 1,
    items: [{ kind: "question", position: 12 }],
    notifier: "n-1",
  },
});

const noticeSent = defineEvent({
  type: "notice.sent",
  version: 1,
  description: "A channel took a notice.",
  payload: z.strictObject(attempt),
  stream: noticesStream,
  timeline: ({ channel }) => `Told on ${channel}.`,
  example: { notice: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11", channel: "phone", attempt: 1 },
});

const noticeFailed = defineEvent({
  type: "notice.failed",
  version: 1,
  description: "A channel did not take a notice: it is tried again, or, where that is final, given up.",
  payload: z.strictObject({
    ...attempt,
    /** Why, for people. */
    error: line,
    /** True: it is a dead letter until somebody retries it. */
    final: z.boolean(),
  }),
  stream: noticesStream,
  timeline: ({ channel, error, final }) =>
    `${final ? "Gave up telling" : "Could not tell"} on ${channel}: ${error}`,
  example: {
    notice: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11",
    channel: "phone",
    attempt: 1,
    error: "the server answered 500",
    final: false,
  },
});

const noticeRetried = defineEvent({
  type: "notice.retried",
  version: 1,
  description: "Someone asked to tell a dead letter again.",
  payload: z.strictObject({ notice: noticeId, channel: name }),
  stream: noticesStream,
  timeline: ({ channel }) => `A notice on ${channel} is told again.`,
  example: { notice: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11", channel: "phone" },
});

/** Every event of this family, in the order of docs/events.md. */
export const noticeEvents = [noticeStarted, noticeSent, noticeFailed, noticeRetried] as const;
