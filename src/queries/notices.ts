import type { ItemKind } from "../projections/board/inbox-tables.ts";
import type { NoticeRow } from "../projections/notices.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** Something that a channel has not taken yet. */
export interface WaitingNotice {
  readonly kind: ItemKind | "loop";
  /** Of the event that it is about. */
  readonly position: number;
  /** What was tried of it; null where nothing was. */
  readonly tried: Tried | null;
}
type Tried = Pick<NoticeRow, "notice" | "state" | "attempts" | "notifier" | "started_at" | "changed_at">;

/**
 * What waits for a human and was not told on a channel, and how drivers ended; the oldest first. What was given up is not among it.
 *
 * @param loopsSince the time, in UTC, before which the end of a driver is no news
 */
export function waitingNotices(readModel: ReadView, channel: string, loopsSince: string): WaitingNotice[] {
  return readModel.all(WAITING, { channel, loopsSince }).map(({ kind, position, ...row }) => ({
    kind,
    position,
    tried: isTried(row) ? row : null,
  }));
}

/** Of the columns of a left join either all have a value or none. */
function isTried(row: { [Name in keyof Tried]: Tried[Name] | null }): row is Tried {
  return row.notice !== null;
}

/** What a channel took. */
export interface ChannelStatus {
  readonly sent: number;
  readonly last_sent: string | null;
  /** Why something was not taken last; null where all was. */
  readonly last_error: string | null;
}

export function channelStatus(readModel: ReadView, channel: string): ChannelStatus {
  const [row] = readModel.all(STATUS, { channel });
  return {
    sent: row?.sent ?? 0,
    last_sent: row?.last_sent ?? null,
    last_error: readModel.get(LAST_ERROR, { channel })?.error ?? null,
  };
}

/** The kinds that a channel tells in one message with the event at a position; empty where nothing of it was tried. */
export function toldAt(readModel: ReadView, channel: string, position: number): readonly string[] {
  return readModel.all(TOLD_AT, { channel, position }).map(({ kind }) => kind);
}

/** What was given up, the oldest first. */
export function deadLetters(readModel: ReadView): Omit<NoticeRow, "state" | "notifier">[] {
  return readModel.all(DEAD, {});
}

const WAITING = question<{ channel: string; loopsSince: string }>()((tables, given) =>
  tables
    .selectFrom(
      tables
        .selectFrom("inbox_items")
        .select(({ ref }) => [ref("kind").$castTo<ItemKind | "loop">().as("kind"), "id as position"])
        .unionAll(
          tables
            .selectFrom("loops")
            .where("stopped_position", "is not", null)
            .where("ending", "not in", ["once", "signal"])
            .where("stopped_at", ">=", given("loopsSince"))
            .select(({ val, ref }) => [
              val<ItemKind | "loop">("loop").as("kind"),
              ref("stopped_position").$castTo<number>().as("position"),
            ]),
        )
        .as("waits"),
    )
    .leftJoin("notice_items as told", (join) =>
      join
        .on("told.channel", "=", given("channel"))
        .onRef("told.kind", "=", "waits.kind")
        .onRef("told.position", "=", "waits.position"),
    )
    .leftJoin("notices as n", (join) =>
      join.onRef("n.channel", "=", "told.channel").onRef("n.notice", "=", "told.notice"),
    )
    .where(({ eb, or }) => or([eb("n.state", "is", null), eb("n.state", "not in", ["sent", "dead"])]))
    .select([
      "waits.kind",
      "waits.position",
      "n.notice",
      "n.state",
      "n.attempts",
      "n.notifier",
      "n.started_at",
      "n.changed_at",
    ])
    .orderBy("waits.position")
    .orderBy("waits.kind"),
);

const STATUS = question<{ channel: string }>()((tables, given) =>
  tables
    .selectFrom("notices")
    .where("channel", "=", given("channel"))
    .select(({ fn }) => [
      fn.count<number>("notice").filterWhere("state", "=", "sent").as("sent"),
      fn.max("changed_at").filterWhere("state", "=", "sent").as("last_sent"),
    ]),
);

const LAST_ERROR = question<{ channel: string }>()((tables, given) =>
  tables
    .selectFrom("notices")
    .where("channel", "=", given("channel"))
    .where("error", "is not", null)
    .orderBy("changed_at", "desc")
    .limit(1)
    .select("error"),
);

const TOLD_AT = question<{ channel: string; position: number }>()((tables, given) =>
  tables
    .selectFrom("notice_items")
    .where("channel", "=", given("channel"))
    .where("position", "=", given("position"))
    .select("kind"),
);

const DEAD = question()((tables) =>
  tables
    .selectFrom("notices")
    .where("state", "=", "dead")
    .orderBy("position")
    .select(["channel", "notice", "position", "started_at", "attempts", "error", "changed_at"]),
);
