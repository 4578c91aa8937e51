import type { Event } from "../events/types/index.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, oneOf, text } from "./table.ts";

/** Who answered or dismissed a question, and when: the board stores only the position of the act. */
export const questionActsTable = defineTable("question_acts", {
  description: "Every answer and every dismissal of a question, including those that were undone.",
  columns: {
    position: means(integer, "of the event; `questions.acted_at` refers to the one that applies"),
    question_id: integer,
    task_id: integer,
    act: oneOf(["answered", "dismissed"]),
    actor: means(text, "who acted, as the log names them"),
    created: text,
  },
  key: ["position"],
  indexes: { by_question: ["question_id", "position"] },
});

const tables = { acts: questionActsTable };

/** When questions were answered: the board stores only the position of the act. */
export const questionActs = defineProjection({
  name: "question_acts",
  version: 1,
  tables,
  on: {
    "question.answered": (event, rows) => keep(rows, event, "answered"),
    "question.dismissed": (event, rows) => keep(rows, event, "dismissed"),
  },
});

function keep(
  rows: RowsOf<typeof tables>,
  { payload, position, actor, recordedAt }: Event<"question.answered" | "question.dismissed">,
  act: "answered" | "dismissed",
): void {
  const { question: question_id, task: task_id } = payload;
  rows.acts.insert({ position, question_id, task_id, act, actor, created: toSqlTime(recordedAt) });
}
