import { toSqlTime } from "../lib/time.ts";
import { defineProjection } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, type Row, text } from "./table.ts";

/** `sending`: it is being told, or whether it was is unknown; `dead`: given up until somebody retries it. */
const noticeStates = ["sending", "sent", "failed", "dead"] as const;

const noticesTable = defineTable("notices", {
  description:
    "What people were told or are to be told, by channel. What waits and is in no row was not tried yet.",
  columns: {
    channel: means(text, "by its name in the configuration"),
    notice: means(text, "the id that it bears on the channel"),
    state: oneOf(noticeStates),
    position: means(integer, "at which it was tried first"),
    started_at: means(text, "when it was tried first, or first after somebody asked for it again"),
    attempts: means(integer, "how often it was tried"),
    notifier: means(text, "the process that tried it last"),
    error: means(nullable(text), "why the last try failed"),
    changed_at: means(text, "of its last event"),
  },
  key: ["channel", "notice"],
  indexes: { by_state: ["state", "position"] },
});
export type NoticeRow = Row<typeof noticesTable>;

const noticeItems = defineTable("notice_items", {
  description: "What the rows of `notices` are about.",
  columns: {
    channel: text,
    kind: means(text, "of the item: see `inbox_items`; `loop` of a driver that stopped"),
    position: means(integer, "of the event that it is about"),
    notice: text,
  },
  key: ["channel", "position", "kind"],
  indexes: { by_notice: ["channel", "notice"] },
});

const tables = { notices: noticesTable, noticeItems };

/** What was told on each channel; what is to be told is what waits without being here (queries/notices.ts). */
export const notices = defineProjection({
  name: "notices",
  version: 1,
  tables,
  on: {
    "notice.started": ({ payload, position, recordedAt }, rows) => {
      const { channel, notice, attempt: attempts, notifier, items } = payload;
      const changed_at = toSqlTime(recordedAt);
      const now = { state: "sending" as const, attempts, notifier, changed_at };
      if (rows.notices.get(channel, notice)) return rows.notices.update([channel, notice], now);
      rows.notices.insert({ channel, notice, position, started_at: changed_at, ...now });
      for (const { kind, position: at } of items)
        if (!rows.noticeItems.get(channel, at, kind))
          rows.noticeItems.insert({ channel, kind, position: at, notice });
    },
    "notice.sent": ({ payload: { channel, notice }, recordedAt }, rows) =>
      rows.notices.update([channel, notice], {
        state: "sent",
        error: null,
        changed_at: toSqlTime(recordedAt),
      }),
    "notice.failed": ({ payload: { channel, notice, error, final }, recordedAt }, rows) =>
      rows.notices.update([channel, notice], {
        state: final ? "dead" : "failed",
        error,
        changed_at: toSqlTime(recordedAt),
      }),
    "notice.retried": ({ payload: { channel, notice }, recordedAt }, rows) =>
      rows.notices.update([channel, notice], {
        state: "failed",
        // Its time to be given up begins anew.
        started_at: toSqlTime(recordedAt),
        changed_at: toSqlTime(recordedAt),
      }),
  },
});
