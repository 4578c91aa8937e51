import type { SessionExit } from "../../events/types/sessions.ts";
import { countsAfter, type Ended, judge, statusAfterPartialOrStuck } from "./settlement.ts";
import type { Board, Task } from "./tables.ts";

/**
 * What a session that still runs makes of its task if it ends so: by what it has raised and learned up to now.
 *
 * @param end `hasChanged` counts for a session with a fingerprint of its workspace at its start
 */
export function foretell(
  board: Board,
  task: Task,
  session: Ended,
  end: { readonly exit: SessionExit; readonly hasChanged: boolean },
): Pick<Task, "status" | "stuck_count"> {
  const ending = judge(board, end.exit, session);
  if (ending.settlesAs === "done")
    return { status: task.accept === "human" ? "needs_input" : "done", stuck_count: 0 };
  const hasChanged = session.workspace_start === null ? undefined : end.hasChanged;
  const counts = countsAfter(board, session, task, { ...ending, position: task.last_start, hasChanged });
  const settled = { ...task, ...counts };
  return { ...settled, status: statusAfterPartialOrStuck(board, settled, true).status };
}
