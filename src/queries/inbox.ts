import { type SqlBool, sql } from "kysely";
import { howItEnded } from "../events/types/gate-runs.ts";
import { UNPROVEN } from "../events/types/gate-words.ts";
import { findingInWords, outsideInWords } from "../events/types/work-words.ts";
import { type Page, PageError, type PartOf, pageOf } from "../lib/page.ts";
import { counted } from "../lib/readable.ts";
import { oneLine } from "../lib/visible.ts";
import { type ItemKind, itemKinds, URGENCY } from "../projections/board/inbox-tables.ts";
import { isUnproven } from "../projections/board/proven.ts";
import { lastResult } from "../projections/board/settlement.ts";
import { type Gate, gates, type Task, tasks } from "../projections/board/tables.ts";
import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { changedProposals } from "./changed-proposals.ts";
import { denialsOfEach } from "./denials.ts";
import type { InboxItem } from "./inbox-item.ts";
import { ALL, type InboxRow, ITEM, OF_TASK, type Ranks, WAITING } from "./inbox-questions.ts";
import { planInWords } from "./plans.ts";
import { sessionWorkOf } from "./session-work.ts";

/** What a question can be answered with, the preferred one first. */
export function choicesOf({
  options,
  preferred,
}: Pick<InboxItem, "options" | "preferred">): readonly string[] {
  return preferred === null ? options : [preferred, ...options.filter((option) => option !== preferred)];
}

/**
 * What waits for a human, in the one order that every list of it has: the most urgent kind first, and the oldest first within
 * it. With `all`, the questions and blockers too that are only information; with `kind`, the items of that kind alone.
 *
 * @throws PageError: no page ends with this key
 */
export function listInbox(
  readModel: ReadView,
  {
    all = false,
    kind,
    after,
    limit = -1,
  }: { readonly all?: boolean | undefined } & OfKind & PartOf<string> = {},
): InboxItem[] {
  const start = after === undefined ? FIRST : placeOf(after);
  return itemsOf(readModel, readModel.all(all ? ALL : WAITING, { ...start, ...ranksOf(kind), limit }));
}

/** A page of `listInbox`. @throws PageError as that */
export function inboxPage(
  readModel: ReadView,
  { kind, after, limit }: { readonly after?: string | undefined; readonly limit: number } & OfKind,
): Page<InboxItem> {
  // One more than is shown tells whether there is more.
  return pageOf(listInbox(readModel, { kind, after, limit: limit + 1 }), limit, inboxKey);
}

/** What waits on a task, in the same order, with the proposals that its sessions made. */
export function inboxOfTask(readModel: ReadView, task: number): InboxItem[] {
  return itemsOf(readModel, readModel.all(OF_TASK, { task }));
}

/** The `after` of the page that begins at a place, 0 for the first item; for a list whose rows are known by their number. */
export function inboxKeyAt(
  readModel: ReadView,
  place: number,
  kind?: ItemKind | undefined,
): string | undefined {
  if (place <= 0) return undefined;
  const before = readModel.get(PLACE, { place: place - 1, ...ranksOf(kind) });
  return before ? inboxKey(before) : END;
}

/** How many items wait, how many of them block work, how many are of each kind, in the one order, and which came last. */
export function countInbox(readModel: ReadView): {
  readonly total: number;
  readonly blocking: number;
  readonly kinds: readonly { readonly kind: ItemKind; readonly items: number }[];
  readonly newest: Pick<InboxItem, "kind" | "id"> | undefined;
} {
  const counts = readModel.all(COUNTS, {}).toSorted((a, b) => URGENCY[a.kind] - URGENCY[b.kind]);
  return {
    total: counts.reduce((sum, { items }) => sum + items, 0),
    blocking: counts.reduce((sum, { blocking }) => sum + blocking, 0),
    kinds: counts.map(({ kind, items }) => ({ kind, items })),
    newest: readModel.get(NEWEST, {}),
  };
}

/** @returns undefined where no such item waits */
export function findInInbox(
  readModel: ReadView,
  { kind, id }: Pick<InboxItem, "kind" | "id">,
): InboxItem | undefined {
  const rows = readModel.all(ITEM, { rank: URGENCY[kind], id, kind });
  return itemsOf(readModel, rows)[0];
}

/** What names an item, and the key of a page that ends with it: an id alone may be that of a gate and of a task to accept. */
export function inboxKey({ kind, id }: Pick<InboxItem, "kind" | "id">): string {
  return `${kind}-${id}`;
}

/** Behind every item. */
const END = "merge-9007199254740991";

interface Place {
  readonly rank: number;
  readonly id: number;
  readonly kind: ItemKind | "";
}

export interface OfKind {
  readonly kind?: ItemKind | undefined;
}

/** The ranks of a kind, or of all. */
function ranksOf(kind: ItemKind | undefined): Ranks {
  return kind ? { from: URGENCY[kind], to: URGENCY[kind] } : { from: 0, to: Number.MAX_SAFE_INTEGER };
}

/** What of an item comes before all others. */
const FIRST: Place = { rank: 0, id: 0, kind: "" };

function placeOf(key: string): Place {
  const [kind = "", id] = key.split("-");
  const known = itemKinds.find((one) => one === kind);
  if (known === undefined || !/^[1-9][0-9]{0,15}$/.test(id ?? "")) throw new PageError(key);
  return { rank: URGENCY[known], id: Number(id), kind: known };
}

function itemsOf(readModel: ReadView, rows: readonly InboxRow[]): InboxItem[] {
  const proposals = rows.flatMap(({ kind, id }) => (kind === "proposal" ? [id] : []));
  const changed = changedProposals(readModel, proposals);
  const denied = denialsOfEach(
    readModel,
    rows.map((row) => sessionsBehind(readModel, row)),
  );
  const ofBoard = readModel.rowsOf({ gates, tasks });
  return rows.map(({ rank: _, options: choices, feature_exists, blocks_work, ...row }, index) => ({
    ...row,
    options: choices ? choices.split("\n") : [],
    feature_exists: feature_exists === 1,
    blocks_work: blocks_work === 1,
    ended:
      row.kind === "gate" && row.gate !== null ? endOf(ofBoard.gates.get(row.task ?? 0, row.gate)) : null,
    ...(row.kind === "stall" && { detail: saidInRow(readModel, ofBoard.tasks.get(row.task ?? 0)) }),
    ...(row.plan !== null && planInWords(readModel, row.plan)),
    ...(row.kind === "acceptance" && { detail: workOf(readModel, row) }),
    changed: (row.kind === "proposal" && changed.get(row.id)) || [],
    denied: denied[index] ?? [],
  }));
}

/** The sessions in which an item may have been brought about by what was denied. */
function sessionsBehind(
  readModel: ReadView,
  { kind, task, session }: Pick<InboxRow, "kind" | "task" | "session">,
): readonly string[] {
  // Of a task that is held: three sessions were cancelled in a row.
  if (task === null) return [];
  if (kind === "hold") return lastSessions(readModel, task, 3);
  if (session !== null) return [session];
  return kind === "gate" ? lastSessions(readModel, task, 1) : [];
}

function lastSessions(readModel: ReadView, task: number, limit: number): string[] {
  return readModel.all(LAST_SESSIONS, { task, limit }).map(({ id }) => id);
}

const LAST_SESSIONS = question<{ task: number; limit: number }>()((tables, given) =>
  tables
    .selectFrom("sessions")
    .select("id")
    .where("task_id", "=", given("task"))
    .orderBy("started_position", "desc")
    .limit(given("limit")),
);

/** What was found in the workspace, the gates that prove nothing, and the command that shows the work, also without the worktree. */
function workOf(readModel: ReadView, { task, session }: Pick<InboxRow, "task" | "session">): string | null {
  const work = session === null ? undefined : sessionWorkOf(readModel, session);
  const unproven = readModel.rowsOf({ gates }).gates.where({ task_id: task ?? 0 }, isUnproven);
  const { base, head, start } = work ?? {};
  const lines = [
    ...(work?.findings ?? []).map(findingInWords),
    ...(work && work.outside.length > 0 ? [outsideInWords(work.outside)] : []),
    ...unproven.map(({ gate }) => `gate ${gate} ${UNPROVEN}`),
    ...(head ? [`git diff ${base ? `${base}...${head}` : start}`] : []),
  ];
  return lines.length === 0 ? null : lines.join("\n");
}

/** What each session of the row said and changed, the first one first; in markdown. */
function saidInRow(readModel: ReadView, task: Task | undefined): string | null {
  if (!task) return null;
  const { id, stalled_by, partial_closings_in_a_row: partials, no_progress_in_a_row: idle } = task;
  const row = stalled_by === "partials" ? { limit: partials, compared: 0 } : { limit: idle, compared: 1 };
  const sessions = readModel.all(SAID, { task: id, ...row }).reverse();
  return sessions.map((session) => `- ${saidAndChanged(session)}`).join("\n");
}

function saidAndChanged({ name, said, files, is_same }: SessionOfRow): string {
  const something = is_same === 1 ? "nothing" : is_same === 0 ? "something" : "unknown";
  const changed = files ? counted(files, "file") : something;
  return `session ${name}, changed: ${changed}. ${said === null ? "It reported no end." : oneLine(said)}`;
}

interface SessionOfRow {
  readonly name: string;
  readonly said: string | null;
  /** Null without fingerprints. */
  readonly is_same: 0 | 1 | null;
  readonly files: number | null;
}

const SAID = question<{ task: number; limit: number; compared: number }>()((tables, given) =>
  tables
    .selectFrom("sessions as s")
    .leftJoin("task_comments as c", "c.id", "s.last_closing_position")
    .select(({ eb, ref }) => [
      "s.id as name",
      "c.body as said",
      sql<0 | 1 | null>`${ref("s.workspace_start")} = ${ref("s.workspace_end")}`.as("is_same"),
      eb
        .selectFrom("session_files as f")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("f.session_id", "=", "s.id")
        .as("files"),
    ])
    .where("s.task_id", "=", given("task"))
    .where("s.outcome", "<>", "cancelled")
    .where(({ eb, ref }) =>
      eb.or([
        eb(given("compared"), "=", 0),
        sql<SqlBool>`${ref("s.workspace_start")} || ${ref("s.workspace_end")} IS NOT NULL`,
      ]),
    )
    .orderBy("s.started_position", "desc")
    .limit(given("limit")),
);

function endOf(gate: Gate | undefined): string | null {
  const last = gate && lastResult(gate);
  if (!last) return null;
  return gate.last_explanation === null ? howItEnded(last) : `${howItEnded(last)}. ${gate.last_explanation}`;
}

/*
 * Where items are in the inbox and how many there are, without what is shown of them.
 */

/** The item at a place among those whose ranks are in a range, 0 for the first one. */
const PLACE = question<{ place: number } & Ranks>()((tables, given) =>
  tables
    .selectFrom("inbox_items")
    .select(["id", "kind"])
    .where("rank", ">=", given("from"))
    .where("rank", "<=", given("to"))
    .orderBy("rank")
    .orderBy("id")
    .orderBy("kind")
    .limit(1)
    .offset(given("place")),
);
/** How many of each kind wait, and how many of them block work. */
const COUNTS = question()((tables) =>
  tables.selectFrom("inbox_counts").select(["kind", "items", "blocking"]).where("items", ">", 0),
);
/** Which came last. */
const NEWEST = question()((tables) =>
  tables
    .selectFrom("inbox_items")
    .select(["id", "kind"])
    .where("id", "=", (eb) =>
      eb.selectFrom("inbox_items as last").select(({ fn }) => fn.max("last.id").as("id")),
    )
    .orderBy("kind")
    .limit(1),
);
