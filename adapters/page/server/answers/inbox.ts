import { z } from "zod";
import {
  actsOn,
  choicesOf,
  countInbox,
  type EventLog,
  eventAt,
  findInInbox,
  type InboxItem,
  type ItemAct,
  inboxKeyAt,
  inboxOfTask,
  inboxPage,
  isBlank,
  itemKinds,
  lastWaited,
  type ReadModel,
  runningSessions,
  shorten,
  taskWords,
  timesOfItems,
  toldBefore,
  undoableActs,
  visible,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { findEnding } from "./inbox-ending.ts";
import { lastLines } from "./last-lines.ts";
import { wholeNumber } from "./query.ts";

/** An item in a list, on one line. */
export interface InboxLine {
  readonly id: number;
  readonly kind: InboxItem["kind"];
  /** Null for a plan. */
  readonly task: number | null;
  readonly plan: number | null;
  readonly task_title: string;
  readonly text: string;
  /** Since when it waits. */
  readonly time: string | null;
}

/** A page of the inbox, of one kind or of one task's items, most urgent first; for an empty inbox, running sessions and the last item. */
export const inboxAnswer = defineAnswer({
  name: "inbox",
  query: z.strictObject({
    row: wholeNumber(0),
    limit: wholeNumber(1, 200),
    task: wholeNumber(1).optional(),
    kind: z.enum(itemKinds).optional(),
  }),
  answer: async ({ log, readModel }, { row, limit, task, kind }) => {
    const { total: all, kinds, newest: named } = countInbox(readModel);
    const newest = named && findInInbox(readModel, named);
    const ofTask = task === undefined ? undefined : inboxOfTask(readModel, task);
    const ofKind = kind && (kinds.find((one) => one.kind === kind)?.items ?? 0);
    const total = ofTask?.length ?? ofKind ?? all;
    const shown =
      ofTask?.slice(row, row + limit) ??
      inboxPage(readModel, { kind, after: inboxKeyAt(readModel, row, kind), limit }).rows;
    const known = timesOfItems(readModel, shown);
    const isQuiet = all === 0;
    const running = isQuiet ? runningSessions(readModel).slice(0, RUNNING) : [];
    const last = isQuiet ? lastWaited(readModel) : null;
    const times = await withTimesOfLog(log, shown, known);
    return {
      total,
      /** How many items of each kind the whole inbox has, in its order, and the acts for several of them at once. */
      kinds: kinds.map((of) => ({ ...of, acts: offered(actsOn(of).filter(({ forMany }) => forMany)) })),
      lines: shown.map((item) => lineOf(item, times.get(item.id) ?? null)),
      /** The latest item, which the page may announce. */
      newest: newest ? lineOf(newest, null) : null,
      running: running.map(({ session, task, task_title, state, entered_at }) => ({
        session,
        task,
        task_title: shorten(visible(task_title), LINE),
        state,
        entered_at,
      })),
      last,
    };
  },
});

/** An item with its details and actions; for one that no longer waits, the event that ended it. */
export const inboxItemAnswer = defineAnswer({
  name: "inbox_item",
  query: z.strictObject({ kind: z.enum(itemKinds), id: wholeNumber(1) }),
  answer: async ({ log, readModel }, { kind, id }) => {
    const item = findInInbox(readModel, { kind, id });
    if (!item) return { item: null, became: await findEnding(readModel, log, { kind, id }) };
    const whole = wholeItem(readModel, item);
    const times = await withTimesOfLog(log, [item], timesOfItems(readModel, [item]));
    return { item: { ...whole, time: times.get(id) ?? null }, became: null };
  },
});

/** The recent actions that can be undone, by anyone on any page. */
export const undoableAnswer = defineAnswer({
  name: "undoable",
  query: z.strictObject({}),
  answer: ({ readModel }) =>
    undoableActs(readModel, UNDOABLE).map((act) => ({
      ...act,
      text: shorten(firstLine(act.text), LINE),
      answer: act.answer === null ? null : shorten(firstLine(act.answer), LINE),
    })),
});

const LINE = 200;
const RUNNING = 10;
const UNDOABLE = 50;
const CARDS = 3;

function lineOf({ id, kind, task, plan, task_title, text }: InboxItem, time: string | null): InboxLine {
  return {
    id,
    kind,
    task,
    plan,
    task_title: shorten(visible(task_title), LINE),
    text: shorten(firstLine(text), LINE),
    time,
  };
}

/** The first line of untrusted text that is not blank. */
function firstLine(text: string): string {
  return visible(text.split("\n").find((line) => !isBlank(line)) ?? "");
}

function wholeItem(readModel: ReadModel, item: InboxItem) {
  const { options: _, preferred, detail, changed, ...rest } = item;
  return {
    ...rest,
    changed,
    /** The options, the preferred one first. */
    choices: choicesOf(item),
    preferred,
    detail: (item.kind === "gate" || item.kind === "merge") && detail !== null ? lastLines(detail) : detail,
    acts: offered(actsOn(item)),
    /** The fields of a proposed task, which a human may edit first. */
    draft:
      item.kind === "proposal" && item.other_task !== null ? taskWords(readModel, item.other_task) : null,
    told: toldBefore(readModel, item, CARDS).map((card) => ({
      ...card,
      text: card.text === null ? "" : shorten(card.text, 1_000),
    })),
  };
}

/** Acts as the page offers them. */
function offered(acts: readonly ItemAct[]) {
  return acts.map(({ key, label, effect, needsText = false, needsOpen = false, undoable = false }) => ({
    ...{ key, label, effect, needsText, needsOpen, undoable },
  }));
}

/** Adds times from the log: the tables lack those of declared and attempted gates. */
async function withTimesOfLog(
  log: EventLog,
  items: readonly InboxItem[],
  known: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const unknown = items.filter(({ id }) => !known.has(id));
  const events = await Promise.all(unknown.map(({ id }) => eventAt(log, id)));
  return new Map([
    ...known,
    ...events.flatMap((event) => (event ? [[event.position, event.recordedAt] as const] : [])),
  ]);
}
