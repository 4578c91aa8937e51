import { taskStatuses } from "../events/types/fields.ts";
import { type InboxItem, listInbox } from "../projections/queries/inbox.ts";
import { countTasks } from "../projections/queries/tasks.ts";
import { question, type RowOf, type Tables } from "../projections/question.ts";
import type { ReadModel } from "../projections/read-model.ts";
import { notesSection } from "./notes-section.ts";
import { headOf, indented, oneLine } from "./render-text.ts";
import { type StateText, wholeText } from "./state-text.ts";

/**
 * The text of progress.txt: how many tasks have each status, the done ones with what they closed with, the open ones
 * with what remains, what waits for a human, and the last notes. A function of the read model's rows alone.
 */
export function renderProgress(readModel: ReadModel): string {
  return wholeText(progressText(readModel));
}

/** The same as data. */
export function progressText(readModel: ReadModel): StateText {
  return {
    head: [...headOf("Progress"), "", `Tasks: ${countsOf(readModel) || "none yet"}`],
    sections: [
      { title: "Done", entries: readModel.all(DONE, {}).map(doneLines), keep: "last" },
      { title: "Open", entries: readModel.all(OPEN, {}).map(openLines), keep: "first" },
      { title: "Waits for a human", entries: listInbox(readModel).map(waitingLines), keep: "first" },
      notesSection(readModel),
    ],
  };
}

function countsOf(readModel: ReadModel): string {
  const counts = countTasks(readModel);
  return taskStatuses
    .flatMap((status) => {
      const count = counts[status];
      return count ? [`${count} ${status.replace("_", " ")}`] : [];
    })
    .join(", ");
}

/** `summary`: what the last session closed with, if that was a done. */
type TaskRow = RowOf<typeof DONE>;

const tasksIn = (tables: Tables) =>
  tables
    .selectFrom("tasks as t")
    .leftJoin("sessions as s", (join) =>
      join.on("t.last_start", ">", 0).onRef("s.started_position", "=", "t.last_start"),
    )
    .select(["t.id", "t.title", "t.status", "t.remaining"])
    .select((eb) => eb.case("s.closing").when("done").then(eb.ref("s.last_closing_text")).end().as("summary"))
    .orderBy("t.id");

const DONE = question()((tables) => tasksIn(tables).where("t.status", "=", "done"));
const OPEN = question()((tables) => tasksIn(tables).where("t.status", "not in", ["done", "skipped"]));

function doneLines({ id, title, summary }: TaskRow): string[] {
  return [`#${id} ${oneLine(title)}`, ...indented(summary ?? "Set by hand, without a closing done.")];
}

function openLines({ id, title, status, remaining }: TaskRow): string[] {
  const rest = indented(remaining ?? "");
  return [`#${id} ${oneLine(title)} (${status})`, ...(rest.length > 0 ? ["  Remaining:", ...rest] : [])];
}

function waitingLines({ id, kind, task, task_title, gate, text, detail }: InboxItem): string[] {
  const words = kind.replace("_", " ");
  const what = kind === "gate" ? `gate ${gate}` : kind === "acceptance" ? kind : `${words} ${id}`;
  return [
    `${what} of task #${task} ${oneLine(task_title)}`,
    ...indented(text),
    ...(kind === "gate" ? [] : indented(detail ?? "", "    ")),
  ];
}
