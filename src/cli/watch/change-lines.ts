import { fromEvent, lastValueFrom, merge, takeUntil, tap } from "rxjs";
import type { Project } from "../../api/project.ts";
import { taskStatuses } from "../../events/types/fields.ts";
import { print, printJsonLine, quoteLine } from "../../lib/terminal/output.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { type Change, changes } from "./changes.ts";

/** Prints what changes, a line each, or a JSON object each, until the process is told to stop. */
export async function printChanges(project: Project, { json }: { readonly json: boolean }): Promise<void> {
  const stop = merge(...["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => fromEvent(process, signal)));
  const printing = changes(project, await project.log.head()).pipe(
    tap((change) => (json ? printJsonLine(change) : print(changeLine(change)))),
    takeUntil(stop),
  );
  await lastValueFrom(printing, { defaultValue: undefined });
}

/** A change for people: its position, what kind of thing changed, and what it is now. */
function changeLine(change: Change): string {
  return `${String(change.position).padStart(6)}  ${change.change.padEnd(7)}  ${wordsFor(change)}`;
}

function wordsFor(change: Change): string {
  switch (change.change) {
    case "start": {
      const counts = taskStatuses.flatMap((status) => {
        const count = change.counts[status];
        return count ? [`${count} ${status.replace("_", " ")}`] : [];
      });
      const sessions = `${change.sessions.length} ${change.sessions.length === 1 ? "session running" : "sessions running"}`;
      return [sessions, ...counts, `${change.inbox.length} in the inbox`].join(" · ");
    }
    case "task":
      return `task ${change.task}  ${change.from ?? "new"} → ${change.to}  (${change.rule})`;
    case "deleted":
      return `task ${change.task}`;
    case "overlap":
      return `tasks ${change.task_id} and ${change.other_task_id} both change ${quoteLine(change.path)}`;
    case "came":
      return `${nameOf(change.item)}  ${quoteLine(change.item.text)}  (${change.command})`;
    case "left":
      return `${nameOf(change.item)}  ${quoteLine(change.item.text)}`;
    default: {
      const of = [change.session, change.task === null ? null : `task ${change.task}`].filter(Boolean);
      return `${quoteLine(of.join(" "), 60)}  ${quoteLine(change.text)}`;
    }
  }
}

function nameOf({ kind, id, task, plan }: Pick<InboxItem, "kind" | "id" | "task" | "plan">): string {
  return task === null ? `plan-${plan}` : `${kind} ${id} of task ${task}`;
}
