import { sql } from "kysely";
import { boardTables, type Gate } from "../projections/board/tables.ts";
import { whyFinal } from "../projections/board/taking-back.ts";
import { question, rowsIn, unsearched } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import type { InboxItem } from "./inbox-item.ts";

/** A human's act on an inbox item that can be undone, or could until a session started that still runs. */
export interface UndoableAct {
  /** Of the item, as `signalbox inbox undo` takes it. */
  readonly id: number;
  readonly kind: Extract<InboxItem["kind"], "question" | "blocker" | "proposal" | "flag" | "gate_approval">;
  /** The items that the same decision acted on and that can be undone with it. */
  readonly others: readonly number[];
  /** The task whose next session ends that. */
  readonly task: number;
  readonly act: "answered" | "dismissed" | "resolved" | "acknowledged" | "approved" | "rejected";
  /** The item's own text. */
  readonly text: string;
  readonly answer: string | null;
  /** Of the act. */
  readonly position: number;
  /** The session that started since then and still runs; null if the act can be undone. */
  readonly read_by: string | null;
  /** Where that session started. */
  readonly read_at: number | null;
  /** True where a prompt was built for that session that has the act in it. */
  readonly in_prompt: boolean;
}

/**
 * Acts of humans that can be taken back, or could until the session started that runs; the last one first, at most `limit` of
 * them, from among the newest acts.
 */
export function undoableActs(readModel: ReadView, limit: number): UndoableAct[] {
  const undoable: (UndoableAct & { readonly others: number[] })[] = [];
  const byDecision = new Map<string, number[]>();
  const { suggestions } = readModel.rowsOf(boardTables);
  for (const row of readModel.all(RECENT_ACTS, {})) {
    const {
      status,
      last_start,
      open_session,
      first_position,
      last_position,
      last_started,
      in_prompt,
      acted_in,
      ...act
    } = row;
    // What a plan's approval included is undone with the plan.
    if (
      suggestions.where({ proposed_task: act.task }).some((one) => one.plan && one.acted_at === act.position)
    )
      continue;
    const gate = act.kind === "gate_approval" ? { last_position, last_started } : undefined;
    const final = whyFinal({ status, last_start }, first_position, gate);
    const isRead = final === "session_started" && open_session !== null && last_start > act.position;
    if (final && !isRead) continue;
    const known = acted_in === null || isRead ? undefined : byDecision.get(acted_in);
    if (known) {
      known.push(act.id);
      continue;
    }
    if (undoable.length === limit) break;
    const others: number[] = [];
    if (acted_in !== null && !isRead) byDecision.set(acted_in, others);
    undoable.push({
      ...act,
      others,
      read_by: isRead ? open_session : null,
      read_at: isRead ? last_start : null,
      in_prompt: isRead && in_prompt === 1,
    });
  }
  return undoable;
}

/** `first_position`: of the gates of one declaration the first that was decided on, as all of them are undone, or none. */
type Act = Omit<UndoableAct, "others" | "read_by" | "read_at" | "in_prompt"> &
  Pick<Gate, "last_position" | "last_started"> & { readonly first_position: number };

/** So many acts are looked at: as sessions go on, what can still be undone is among the newest. */
const LOOKED_AT = 500;

/** The newest acts that hold, by their indexes, but for what a session before the last one has read. */
const RECENT_ACTS = question()((tables) => {
  const none = sql<string | null>`NULL`;
  const questions = tables
    .selectFrom("questions")
    .where("acted_at", "is not", null)
    .select((eb) => [
      "id",
      eb.val<Act["kind"]>("question").as("kind"),
      "task_id as task",
      eb.ref("state").$castTo<Act["act"]>().as("act"),
      "question as text",
      "answer",
      eb.ref("acted_at").$notNull().as("position"),
      none.as("acted_in"),
    ])
    .orderBy("position", "desc")
    .limit(LOOKED_AT);
  const blockers = tables
    .selectFrom("blockers")
    .where("acted_at", "is not", null)
    .select((eb) => [
      "id",
      eb.val<Act["kind"]>("blocker").as("kind"),
      "task_id as task",
      eb.ref("state").$castTo<Act["act"]>().as("act"),
      "on as text",
      none.as("answer"),
      eb.ref("acted_at").$notNull().as("position"),
      none.as("acted_in"),
    ])
    .orderBy("position", "desc")
    .limit(LOOKED_AT);
  const proposals = tables
    .selectFrom("suggestions as s")
    .innerJoin("tasks as d", "d.id", "s.proposed_task")
    .where("s.acted_at", "is not", null)
    .where("s.kind", "not in", ["edit", "plan"])
    .select((eb) => [
      "s.id",
      eb.val<Act["kind"]>("proposal").as("kind"),
      "d.id as task",
      eb.ref("s.state").$castTo<Act["act"]>().as("act"),
      "d.title as text",
      none.as("answer"),
      eb.ref("s.acted_at").$notNull().as("position"),
      "s.acted_in",
    ])
    .orderBy("position", "desc")
    .limit(LOOKED_AT);
  const flags = tables
    .selectFrom("flags")
    .where("acted_at", "is not", null)
    .select((eb) => [
      "id",
      eb.val<Act["kind"]>("flag").as("kind"),
      "task_id as task",
      eb.val<Act["act"]>("acknowledged").as("act"),
      "what as text",
      none.as("answer"),
      eb.ref("acted_at").$notNull().as("position"),
      "acted_in",
    ])
    .orderBy("position", "desc")
    .limit(LOOKED_AT);
  const ofItems = tables
    .selectFrom(questions.as("q"))
    .selectAll()
    .unionAll(tables.selectFrom(blockers.as("b")).selectAll())
    .unionAll(tables.selectFrom(proposals.as("p")).selectAll())
    .unionAll(tables.selectFrom(flags.as("f")).selectAll());
  const decided = tables
    .selectFrom("gates")
    .where("approval_position", "is not", null)
    .select(["task_id", "declared", "approval_position as position"])
    .orderBy("position", "desc")
    .limit(LOOKED_AT);
  const declarations = tables.selectFrom(decided.as("decided")).select(["task_id", "declared"]).distinct();
  const approvals = tables
    .selectFrom(declarations.as("newest"))
    .crossJoin("gates as g")
    .whereRef("g.task_id", "=", "newest.task_id")
    .whereRef("g.declared", "=", "newest.declared")
    .where(({ eb, ref }) => eb(unsearched(ref("g.approval_position")), "is not", null))
    .groupBy("g.declared")
    .select((eb) => [
      "g.declared as id",
      eb.val<Act["kind"]>("gate_approval").as("kind"),
      "g.task_id as task",
      eb.fn.min("g.approval").$castTo<Act["act"]>().as("act"),
      sql<string>`group_concat(${eb.ref("g.command")}, char(10) ORDER BY ${eb.ref("g.gate")})`.as("text"),
      none.as("answer"),
      eb.fn.max("g.approval_position").$castTo<number>().as("position"),
      none.as("acted_in"),
      eb.fn.min("g.approval_position").$castTo<number>().as("first_position"),
      eb.fn.max("g.last_position").as("last_position"),
      eb.fn.max("g.last_started").as("last_started"),
    ]);
  return tables
    .with(
      (name) => name("acts").materialized(),
      (acts) =>
        acts
          .selectFrom(ofItems.as("one"))
          .selectAll()
          .select(({ ref }) => [
            ref("one.position").as("first_position"),
            sql<number | null>`NULL`.as("last_position"),
            sql<number | null>`NULL`.as("last_started"),
          ])
          .unionAll(approvals)
          .orderBy("position", "desc")
          .limit(LOOKED_AT),
    )
    .selectFrom("acts as a")
    .innerJoin("tasks as t", "t.id", "a.task")
    .selectAll("a")
    .select(["t.status", "t.last_start", "t.open_session"])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("prompts as p")
            .innerJoin(
              ({ ref }) => rowsIn<number>(ref("p.positions")).as("part"),
              (join) => join.onTrue(),
            )
            .whereRef("p.session_id", "=", "t.open_session")
            .whereRef("part.value", "=", "a.position")
            .select(eb.lit(1).as("one")),
        )
        .$castTo<0 | 1>()
        .as("in_prompt"),
    )
    .where("a.position", ">", (eb) =>
      eb
        .selectFrom("sessions as s")
        .whereRef("s.task_id", "=", "t.id")
        .whereRef("s.started_position", "<", "t.last_start")
        .select(({ fn, lit }) => fn.coalesce(fn.max("s.started_position"), lit(0)).as("position")),
    )
    .orderBy("a.position", "desc");
});
