import { definitionOf, type Event, type EventType } from "../events/types/index.ts";
import { sessionIn, tasksIn } from "../events/types/subject.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, nullable, text } from "./table.ts";

export const taskActsTable = defineTable("task_acts", {
  description:
    "What was done to tasks, in order: decisions on them and on what they raised, changes, commits and " +
    "merges, including what was undone, and what agents were refused. Comments and reports of agents are in `comments` and `signals`.",
  columns: {
    position: means(integer, "of the event"),
    task_id: integer,
    session_id: means(nullable(text), "the session that the event names, or during which it happened"),
    type: means(text, "of the event"),
    actor: means(text, "who did it, as the log names them"),
    body: means(text, "the text for a timeline, Markdown"),
    created: text,
  },
  key: ["position", "task_id"],
  indexes: { by_task: ["task_id", "position"], by_session: ["session_id", "position"] },
});

const tables = { acts: taskActsTable };

/** The types of events that are acts on a task. */
const types: readonly EventType[] = [
  "task.created",
  "task.changed",
  "task.enriched",
  "task.deleted",
  "task.status_set",
  "task.accepted",
  "comment.deleted",
  "question.answered",
  "question.dismissed",
  "question.reopened",
  "blocker.resolved",
  "blocker.dismissed",
  "blocker.reopened",
  "flag.acknowledged",
  "flag.reopened",
  "suggestion.approved",
  "suggestion.rejected",
  "suggestion.reopened",
  "plan.confirmed",
  "plan.approved",
  "plan.rejected",
  "plan.reopened",
  "gate.declared",
  "gate.approved",
  "gate.rejected",
  "gate.reopened",
  "gate.acted",
  "workspace.committed",
  "workspace.conflicted",
  "merge.proposed",
  "merge.queued",
  "merge.begun",
  "merge.gate_attempted",
  "merge.conflicted",
  "merge.gate_failed",
  "merge.waits",
  "merge.ready",
  "merge.landed",
  "merge.withdrawn",
  "merge.reopened",
  "session.act_refused",
];

/** The history of acts on tasks: the board keeps only the latest ones and their results. */
export const taskActs = defineProjection({
  name: "task_acts",
  version: 4,
  tables,
  on: Object.fromEntries(types.map((type) => [type, keep])),
});

function keep(event: Event, rows: RowsOf<typeof tables>): void {
  const { position, type, payload, actor, recordedAt } = event;
  const body = definitionOf(type)?.timeline(payload) ?? "";
  const acted = { position, session_id: sessionIn(event) ?? null, type, actor, body };
  for (const task_id of new Set(tasksIn(payload)))
    rows.acts.insert({ ...acted, task_id, created: toSqlTime(recordedAt) });
}
