import {
  type AliasableExpression,
  type Expression,
  expressionBuilder,
  type InferResult,
  type SqlBool,
  sql,
} from "kysely";
import { type ItemKind, type inboxItems, URGENCY } from "../projections/board/inbox-tables.ts";
import type { Task } from "../projections/board/tables.ts";
import type { Row } from "../projections/table.ts";
import { question, rowsIn, type Tables } from "../read-model/question.ts";
import type { InboxItem } from "./inbox-item.ts";
import { STALL_WORDS } from "./labels/in-short.ts";

/*
 * Which items wait is kept (src/projections/board/inbox-items.ts); here is what is shown of them.
 */

/** An item as a question answers it. */
export type InboxRow = Omit<
  InboxItem,
  "options" | "feature_exists" | "blocks_work" | "ended" | "changed" | "denied"
> & {
  readonly rank: number;
  readonly blocks_work: 0 | 1;
  readonly options: string | null;
  readonly feature_exists: 0 | 1;
};

type KeptItem = InferResult<ReturnType<typeof kept>>[number];
const kept = (tables: Tables) =>
  tables.selectFrom("inbox_items").select(["rank", "id", "kind", "task_id", "blocks_work"]);

/** The questions and blockers too that are only information. */
const withInformation = (tables: Tables) =>
  kept(tables)
    .unionAll(
      tables
        .selectFrom("questions as q")
        .innerJoin("tasks as t", "t.id", "q.task_id")
        .where(({ and, eb, or }) =>
          or([
            eb("q.state", "=", "informational"),
            and([eb("q.state", "=", "raised"), eb("q.blocking", "=", 0)]),
          ]),
        )
        .select(({ val }) => [
          val<number>(URGENCY.question).as("rank"),
          "q.id",
          val<ItemKind>("question").as("kind"),
          "q.task_id",
          val<0 | 1>(0).as("blocks_work"),
        ]),
    )
    .unionAll(
      tables
        .selectFrom("blockers as b")
        .innerJoin("tasks as t", "t.id", "b.task_id")
        .where("b.state", "in", ["raised", "informational"])
        .select(({ val }) => [
          val<number>(URGENCY.blocker).as("rank"),
          "b.id",
          val<ItemKind>("blocker").as("kind"),
          "b.task_id",
          val<0 | 1>(0).as("blocks_work"),
        ]),
    );

type Shown = { readonly [Name in keyof InboxRow]: AliasableExpression<InboxRow[Name]> };

/** What most kinds of items do not have. */
const ABSENT = {
  session: sql<null>`NULL`,
  of_kind: sql<null>`NULL`,
  options: sql<null>`NULL`,
  preferred: sql<null>`NULL`,
  detail: sql<null>`NULL`,
  other_task: sql<null>`NULL`,
  gate: sql<null>`NULL`,
  feature: sql<null>`NULL`,
  feature_exists: sql<0>`0`,
  plan: sql<null>`NULL`,
};
type Absent = keyof typeof ABSENT;

/** What is the same of all kinds: an item `i`, and its task `t`. */
const { ref: ofItem } = expressionBuilder<{ i: Row<typeof inboxItems>; t: Task }, "i" | "t">();
const COMMON = {
  rank: ofItem("i.rank"),
  kind: ofItem("i.kind"),
  blocks_work: ofItem("i.blocks_work"),
  task_title: ofItem("t.title"),
};
type Common = keyof typeof COMMON;

/** The columns of all kinds of items in the one order in which they are united. */
function shown(own: Omit<Shown, Absent | Common> & Partial<Pick<Shown, Absent | Common>>) {
  const of: Shown = { ...ABSENT, ...COMMON, ...own };
  return [
    of.rank.as("rank"),
    of.id.as("id"),
    of.kind.as("kind"),
    of.blocks_work.as("blocks_work"),
    of.task.as("task"),
    of.task_title.as("task_title"),
    of.session.as("session"),
    of.state.as("state"),
    of.text.as("text"),
    of.of_kind.as("of_kind"),
    of.options.as("options"),
    of.preferred.as("preferred"),
    of.detail.as("detail"),
    of.other_task.as("other_task"),
    of.gate.as("gate"),
    of.feature.as("feature"),
    of.feature_exists.as("feature_exists"),
    of.plan.as("plan"),
  ] as const;
}

/**
 * Some items with what is shown of them. A proposal is shown by its draft's present words, since those are what a human approves; an edit by its own.
 * SQLite goes from the few items to what they are of, never the other way round: hence the cross joins.
 *
 * @param some the rows of `inbox_items` to show
 */
function shownOf(tables: Tables, some: Expression<KeptItem>) {
  const all = withItems(tables);
  const questions = all
    .with(
      (name) => name("items").materialized(),
      () => some,
    )
    .selectFrom("items as i")
    .crossJoin("questions as q")
    .crossJoin("tasks as t")
    .whereRef("q.id", "=", "i.id")
    .whereRef("t.id", "=", "q.task_id")
    .where("i.kind", "=", "question")
    .select(({ ref }) =>
      shown({
        id: ref("q.id"),
        task: ref("q.task_id"),
        session: ref("q.session_id"),
        state: ref("q.state"),
        text: ref("q.question"),
        options: ref("q.options"),
        preferred: ref("q.preferred"),
      }),
    );
  const blockers = all
    .selectFrom("items as i")
    .crossJoin("blockers as b")
    .crossJoin("tasks as t")
    .whereRef("b.id", "=", "i.id")
    .whereRef("t.id", "=", "b.task_id")
    .where("i.kind", "in", ["blocker", "contest"])
    .select(({ ref }) =>
      shown({
        id: ref("b.id"),
        task: ref("b.task_id"),
        session: ref("b.session_id"),
        state: ref("b.state"),
        text: ref("b.on"),
        of_kind: ref("b.kind"),
        detail: ref("b.detail"),
        other_task: ref("b.depends_on"),
      }),
    );
  const proposals = all
    .selectFrom("items as i")
    .crossJoin("suggestions as s")
    .crossJoin("tasks as d")
    .leftJoin("tasks as t", "t.id", "s.task_id")
    .whereRef("s.id", "=", "i.id")
    .whereRef("d.id", "=", "s.proposed_task")
    .where("i.kind", "=", "proposal")
    .select(({ and, eb, fn, ref }) => {
      const isEdit = sql<SqlBool>`${ref("s.kind")} = 'edit'`;
      return shown({
        id: ref("s.id"),
        task: fn.coalesce("t.id", "d.id"),
        task_title: fn.coalesce("t.title", "d.title"),
        session: sql<string | null>`nullif(${ref("s.session_id")}, '')`,
        state: ref("s.state"),
        text: sql<string>`iif(${isEdit}, ${ref("s.what")}, ${ref("d.title")})`,
        of_kind: ref("s.kind"),
        detail: sql<string | null>`nullif(iif(${isEdit}, ${ref("s.why")}, ${ref("d.description")}), '')`,
        other_task: ref("s.proposed_task"),
        feature: ref("s.feature"),
        feature_exists: and([eb("s.feature", "is not", null), eb("s.unknown_feature", "=", 0)]).$castTo<
          0 | 1
        >(),
      });
    });
  const ofTasks = all.selectFrom("items as i").crossJoin("tasks as t").whereRef("t.id", "=", "i.task_id");
  const approvals = ofTasks
    .crossJoin("gates as w")
    .whereRef("w.task_id", "=", "i.task_id")
    .where("i.kind", "=", "gate_approval")
    .whereRef("w.declared", "=", "i.id")
    .where("w.approval", "=", "waiting")
    .groupBy("i.id")
    .select(({ fn, ref }) => {
      const [gate, command] = [ref("w.gate"), ref("w.command")];
      const each = sql<string>`group_concat('gate ' || ${gate} || ': ' || ${command}, char(10) ORDER BY ${gate})`;
      const isOne = sql<SqlBool>`${fn.countAll()} = 1`;
      return shown({
        id: ref("i.id"),
        task: ref("i.task_id"),
        state: sql<string>`'waiting'`,
        text: sql<string>`iif(${isOne}, ${command}, ${each})`,
        gate: sql<number | null>`iif(${isOne}, ${gate}, NULL)`,
      });
    });
  const gates = ofTasks
    .crossJoin("gates as g")
    .whereRef("g.task_id", "=", "i.task_id")
    .where("i.kind", "=", "gate")
    .whereRef("g.last_position", "=", "i.id")
    .select(({ ref }) =>
      shown({
        id: ref("i.id"),
        task: ref("g.task_id"),
        state: ref("g.state"),
        text: ref("g.command"),
        detail: sql<string | null>`coalesce(nullif(${ref("g.last_stderr")}, ''), ${ref("g.last_stdout")})`,
        gate: ref("g.gate"),
      }),
    );
  const stopped = ofTasks
    .crossJoin("sessions as s")
    .whereRef("s.started_position", "=", "t.last_start")
    .where("i.kind", "in", ["stall", "hold"])
    .select(({ eb, ref }) => {
      const isHeld = eb("i.kind", "=", "hold");
      const stalled = sql<string>`iif(${eb("t.stalled_by", "=", "no_progress")},
        ${inARow(ref("t.no_progress_in_a_row"), STALL_WORDS.no_progress)},
        ${inARow(ref("t.partial_closings_in_a_row"), STALL_WORDS.partials)})`;
      const held = sql<string>`${inARow(ref("t.cancelled_in_a_row"), "were cancelled. The last one: ")}
        || coalesce(${ref("s.end_reason")}, 'no reason given')`;
      return shown({
        id: ref("i.id"),
        task: ref("t.id"),
        session: ref("s.id"),
        state: sql<string>`iif(${isHeld}, 'held', 'stalled')`,
        of_kind: sql<string | null>`iif(${isHeld}, ${ref("s.cause")}, ${ref("t.stalled_by")})`,
        text: sql<string>`iif(${isHeld}, ${held}, ${stalled})`,
      });
    });
  const merges = ofTasks
    .crossJoin("merges as m")
    .whereRef("m.task_id", "=", "i.task_id")
    .where("i.kind", "=", "merge")
    .select(({ eb, ref }) => {
      const [branch, base, output] = [ref("m.branch"), ref("m.base"), ref("m.output")];
      return shown({
        id: ref("m.position"),
        task: ref("m.task_id"),
        state: ref("m.state"),
        text: eb
          .case("m.state")
          .when("proposed")
          .then(sql<string>`${branch} || ' can be merged into ' || ${base}`)
          .when("conflicted")
          .then(
            sql<string>`${branch} || ' conflicts with ' || ${base} || ' in '
              || coalesce(${listed(all, ref("m.files"), ", ")}, 'files whose names cannot be shown')`,
          )
          .when("gate_failed")
          .then(
            sql<string>`'gate ' || ${ref("m.gate")} || ' fails when ' || ${branch} || ' is merged into ' || ${base}
              || ': ' || ${ref("m.command")}`,
          )
          .else(
            sql<string>`${branch} || ' waits to be merged into ' || ${base} || ': '
              || coalesce(${ref("m.folder")} || ': ', '') || ${ref("m.reason")}`,
          )
          .end(),
        detail: sql<string | null>`nullif(
          iif(${ref("m.state")} = 'gate_failed', coalesce(${output} || char(10) || char(10), ''), '')
            || coalesce(${listed(all, ref("m.commands"), "\n")}, ''), '')`,
        gate: ref("m.gate"),
      });
    });
  const flags = all
    .selectFrom("items as i")
    .crossJoin("flags as f")
    .crossJoin("tasks as t")
    .whereRef("f.id", "=", "i.id")
    .whereRef("t.id", "=", "f.task_id")
    .where("i.kind", "=", "flag")
    .select(({ ref }) =>
      shown({
        id: ref("f.id"),
        task: ref("f.task_id"),
        session: ref("f.session_id"),
        state: ref("f.severity"),
        text: ref("f.what"),
        of_kind: ref("f.category"),
      }),
    );
  return questions
    .unionAll(blockers)
    .unionAll(proposals)
    .unionAll(approvals)
    .unionAll(gates)
    .unionAll(acceptancesIn(all))
    .unionAll(stopped)
    .unionAll([merges, setupsIn(all), plansIn(all)])
    .unionAll(flags)
    .orderBy("rank")
    .orderBy("id")
    .orderBy("kind");
}

const withItems = (tables: Tables) => tables.withTables<{ items: Row<typeof inboxItems> }>();

function acceptancesIn(all: ReturnType<typeof withItems>) {
  return all
    .selectFrom("items as i")
    .crossJoin("tasks as t")
    .leftJoin("sessions as s", "s.started_position", "t.last_start")
    .whereRef("t.id", "=", "i.task_id")
    .where("i.kind", "=", "acceptance")
    .select(({ ref }) =>
      shown({
        ...{ id: ref("i.id"), task: ref("t.id"), state: ref("t.status"), text: ref("t.title") },
        session: ref("s.id"),
      }),
    );
}

/** NULL where the list has nothing. */
function listed(from: ReturnType<typeof withItems>, list: Expression<string>, by: string) {
  return from
    .selectFrom(rowsIn<string>(list).as("f"))
    .select((one) => sql<string | null>`group_concat(${one.ref("f.value")}, ${sql.lit(by)})`.as("all"));
}

function setupsIn(all: ReturnType<typeof withItems>) {
  return all
    .selectFrom("items as i")
    .crossJoin("tasks as t")
    .crossJoin("failed_setups as f")
    .whereRef("f.position", "=", "i.id")
    .whereRef("t.id", "=", "i.task_id")
    .where("i.kind", "=", "setup")
    .select(({ ref }) =>
      shown({
        id: ref("i.id"),
        task: ref("f.task_id"),
        state: sql<string>`'failed'`,
        text: sql<string>`'the setup of worktrees fails: ' || ${ref("f.command")}`,
        detail: sql<string | null>`nullif(${ref("f.output")}, '')`,
      }),
    );
}

/** What is in it is told by `planOutline` (plans.ts). */
function plansIn(all: ReturnType<typeof withItems>) {
  return all
    .selectFrom("items as i")
    .crossJoin("plans as p")
    .whereRef("p.begun", "=", "i.id")
    .where("i.kind", "=", "plan")
    .select(({ ref }) =>
      shown({
        ...{ rank: ref("i.rank"), kind: ref("i.kind"), blocks_work: ref("i.blocks_work") },
        ...{
          id: ref("i.id"),
          task: sql<null>`NULL`,
          task_title: sql<string>`''`,
          session: ref("p.session_id"),
        },
        ...{ state: ref("p.state"), feature: ref("p.feature"), plan: ref("p.plan"), text: ref("p.text") },
      }),
    );
}

function inARow(sessions: Expression<number>, did: string) {
  return sql<string>`${sessions} || iif(${sessions} = 1, ' session', ' sessions') || ${sql.lit(` in a row ${did}`)}`;
}

/** The items behind a place whose ranks are in a range, as many as the limit allows, -1 for all. */
export const WAITING = behind(kept);
/** The same with what is only information. */
export const ALL = behind(withInformation);

/** The first and the last rank. */
export type Ranks = { from: number; to: number };

function behind(items: (tables: Tables) => ReturnType<typeof kept>) {
  return question<{ rank: number; id: number; kind: string; limit: number } & Ranks>()((tables, given) =>
    shownOf(
      tables,
      tables
        .selectFrom(items(tables).as("of"))
        .select(["rank", "id", "kind", "task_id", "blocks_work"])
        .where("rank", ">=", given("from"))
        .where("rank", "<=", given("to"))
        .where(
          ({ ref }) =>
            sql<SqlBool>`(${ref("rank")}, ${ref("id")}, ${ref("kind")}) > (${given("rank")}, ${given("id")}, ${given("kind")})`,
        )
        .orderBy("rank")
        .orderBy("id")
        .orderBy("kind")
        .limit(given("limit")),
    ),
  );
}

/** One item. */
export const ITEM = question<{ rank: number; id: number; kind: ItemKind }>()((tables, given) =>
  shownOf(
    tables,
    kept(tables)
      .where("rank", "=", given("rank"))
      .where("id", "=", given("id"))
      .where("kind", "=", given("kind")),
  ),
);
/** The items of a task: those on it, and the proposals that its sessions made. */
export const OF_TASK = question<{ task: number }>()((tables, given) =>
  shownOf(
    tables,
    kept(tables)
      .where("task_id", "=", given("task"))
      .union(
        kept(tables)
          .where(({ eb, val }) => eb("kind", "=", val<ItemKind>("proposal")))
          .where("id", "in", (all) =>
            all
              .selectFrom("suggestions")
              .select("id")
              .where("state", "=", "proposed")
              .where("task_id", "=", given("task")),
          ),
      ),
  ),
);
