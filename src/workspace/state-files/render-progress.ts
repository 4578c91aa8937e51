import { taskStatuses } from "../../events/types/fields.ts";
import type { progressNotes } from "../../projections/project.ts";
import type { Row } from "../../projections/table.ts";
import { countInbox, listInbox } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { countTasks } from "../../queries/tasks.ts";
import { question, type RowOf, type Tables } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { headOf, indented, oneLine } from "./render-text.ts";
import type { Section } from "./state-text.ts";
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
  const counts = countTasks(readModel);
  const done = counts.done ?? 0;
  const open = Object.values(counts).reduce((all, tasks) => all + tasks, 0) - done - (counts.skipped ?? 0);
  return {
    head: [...headOf("Progress"), "", `Tasks: ${countsOf(counts) || "none yet"}`],
    sections: [
      {
        title: "Done",
        lead: leadOf(done, "earlier", "signalbox task list --status done"),
        entries: readModel.all(DONE, {}).reverse().map(doneLines),
        keep: "last",
      },
      {
        title: "Open",
        lead: leadOf(open, "more", "signalbox task list"),
        entries: readModel.all(OPEN, {}).map(openLines),
        keep: "first",
      },
      {
        title: "Waits for a human",
        lead: leadOf(countInbox(readModel).total, "more", "signalbox inbox list"),
        entries: listInbox(readModel, { limit: SHOWN }).map(waitingLines),
        keep: "first",
      },
      notesSection(readModel),
    ],
  };
}

/** So many entries of a list are in the file, more than an agent is given at once (read.ts); commands list all. */
const SHOWN = 2_000;

/** What is not shown of so many. */
function leadOf(total: number, which: string, command: string): string[] {
  return total > SHOWN ? [`(${total - SHOWN} ${which}: \`${command}\`.)`] : [];
}

function countsOf(counts: ReturnType<typeof countTasks>): string {
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
    .limit(SHOWN);

const DONE = question()((tables) => tasksIn(tables).where("t.status", "=", "done").orderBy("t.id", "desc"));
const OPEN = question()((tables) =>
  tasksIn(tables).where("t.status", "not in", ["done", "skipped"]).orderBy("t.id"),
);

function doneLines({ id, title, summary }: TaskRow): string[] {
  return [`#${id} ${oneLine(title)}`, ...indented(summary ?? "Set by hand, without a closing done.")];
}

function openLines({ id, title, status, remaining }: TaskRow): string[] {
  const rest = indented(remaining ?? "");
  return [`#${id} ${oneLine(title)} (${status})`, ...(rest.length > 0 ? ["  Remaining:", ...rest] : [])];
}

function waitingLines({ id, kind, plan, task, task_title, gate, text, detail }: InboxItem): string[] {
  const words = kind.replace("_", " ");
  const what =
    task === null
      ? `plan-${plan}`
      : kind === "gate"
        ? `gate ${gate}`
        : kind === "acceptance"
          ? kind
          : `${words} ${id}`;
  return [
    task === null ? what : `${what} of task #${task} ${oneLine(task_title)}`,
    ...indented(text),
    ...(kind === "gate" ? [] : indented(detail ?? "", "    ")),
  ];
}

/** So many notes progress.txt shows, the newest; all of them are in the log. */
const NOTES_SHOWN = 50;

/** What was noted on the progress, the newest note last. */
function notesSection(readModel: ReadModel): Section {
  const newest = readModel.all(NEWEST, {});
  const older = (readModel.get(COUNT, {})?.notes ?? 0) - newest.length;
  return {
    title: "Notes",
    lead: older > 0 ? [`(${older} older ${older === 1 ? "one is" : "ones are"} in the log.)`] : [],
    entries: newest.reverse().map(noteLines),
    keep: "last",
  };
}

const NEWEST = question()((tables) =>
  tables.selectFrom("progress_notes").selectAll().orderBy("id", "desc").limit(NOTES_SHOWN),
);
const COUNT = question()((tables) =>
  tables.selectFrom("progress_notes").select(({ fn }) => fn.countAll<number>().as("notes")),
);

function noteLines({ text, actor, created }: Row<typeof progressNotes>): string[] {
  return [`${created.slice(0, 16)} UTC, ${oneLine(actor)}`, ...indented(text)];
}
