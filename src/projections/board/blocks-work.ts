import type { TaskStatus } from "../../events/types/fields.ts";
import { linkedTask } from "./blockers.ts";
import type { ItemKind } from "./inbox-tables.ts";
import type { Board } from "./tables.ts";

/**
 * Whether an inbox item blocks work: its task stands still until a human acts on the item. A
 * proposal, a flag, a contest or a merge holds no task; nor does a question of a running session,
 * nor a blocker that goes away when another task is done. The only place that decides this.
 */
export function blocksWork(
  board: Pick<Board, "tasks" | "blockers">,
  { kind, id, task_id }: { readonly kind: ItemKind; readonly id: number; readonly task_id: number | null },
): boolean {
  if (!HOLDING.has(kind)) return false;
  const task = board.tasks.get(task_id ?? 0);
  if (!task || !STANDING.has(task.status)) return false;
  if (kind !== "blocker") return true;
  const blocker = board.blockers.get(id);
  return blocker !== undefined && linkedTask(board, blocker) === null;
}

const HOLDING: ReadonlySet<ItemKind> = new Set([
  "gate",
  "question",
  "stall",
  "blocker",
  "hold",
  "setup",
  "acceptance",
  "gate_approval",
]);
/** `pending` for a held task, for one with gates to approve, and for one without a worktree. */
const STANDING: ReadonlySet<TaskStatus> = new Set(["needs_input", "blocked", "pending"]);
