import { taskStatuses } from "../events/types/fields.ts";
import { type InboxItem, listInbox } from "../projections/queries/inbox.ts";
import { countTasks } from "../projections/queries/tasks.ts";
import type { ReadModel } from "../projections/read-model.ts";
import { headOf, indented, oneLine, sections } from "./render-text.ts";

/**
 * The text of progress.txt: how many tasks have each status, the done ones with what they closed with, the open ones
 * with what remains, and what waits for a human. A function of the read model's rows alone.
 */
export function renderProgress(readModel: ReadModel): string {
  const counts = countTasks(readModel);
  const counted = taskStatuses.flatMap((status) => {
    const count = counts[status];
    return count ? [`${count} ${status.replace("_", " ")}`] : [];
  });
  return [
    ...headOf("Progress"),
    "",
    `Tasks: ${counted.join(", ") || "none yet"}`,
    ...sections(
      { title: "Done", lines: tasksWhere(readModel, DONE).flatMap(doneLines) },
      { title: "Open", lines: tasksWhere(readModel, OPEN).flatMap(openLines) },
      { title: "Waits for a human", lines: listInbox(readModel).flatMap(waitingLines) },
    ),
    "",
  ].join("\n");
}

interface TaskRow {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly remaining: string | null;
  /** What the last session closed with, if that was a done. */
  readonly summary: string | null;
}

const DONE = "t.status = 'done'";
const OPEN = "t.status NOT IN ('done', 'skipped')";

function tasksWhere(readModel: ReadModel, condition: typeof DONE | typeof OPEN): TaskRow[] {
  return readModel
    .prepared<[], TaskRow>(
      `SELECT t.id, t.title, t.status, t.remaining,
         CASE s.closing WHEN 'done' THEN s.last_closing_text END AS summary
       FROM tasks t LEFT JOIN sessions s ON t.last_start > 0 AND s.started_position = t.last_start
       WHERE ${condition} ORDER BY t.id`,
    )
    .all();
}

function doneLines({ id, title, summary }: TaskRow): string[] {
  return [`#${id} ${oneLine(title)}`, ...indented(summary ?? "Set by hand, without a closing done.")];
}

function openLines({ id, title, status, remaining }: TaskRow): string[] {
  const rest = indented(remaining ?? "");
  return [`#${id} ${oneLine(title)} (${status})`, ...(rest.length > 0 ? ["  Remaining:", ...rest] : [])];
}

function waitingLines({ id, kind, task, task_title, gate, text, detail }: InboxItem): string[] {
  const what = kind === "gate" ? `gate ${gate}` : kind === "acceptance" ? kind : `${kind} ${id}`;
  return [
    `${what} of task #${task} ${oneLine(task_title)}`,
    ...indented(text),
    ...(kind === "gate" ? [] : indented(detail ?? "", "    ")),
  ];
}
