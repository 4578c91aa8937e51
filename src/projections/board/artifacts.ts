import { parseColumn } from "../parse-column.ts";
import { policyCauses, policyValue } from "./policies.ts";
import type { Board, Task } from "./tables.ts";

/** The files of a task's last session outside its `output_artifacts`, where the policy has a human asked about them; and the causes. */
export function outsideToAsk(
  board: Pick<Board, "policies" | "sessions" | "sessionWork">,
  { id, last_start }: Pick<Task, "id" | "last_start">,
): { readonly paths: readonly string[]; readonly causes: readonly number[] } {
  const [last] = board.sessions.where({ task_id: id, started_position: last_start });
  const work = last && board.sessionWork.get(last.id);
  const paths: string[] = work ? parseColumn(work.outside) : [];
  if (!work || paths.length === 0 || policyValue(board, "artifacts.outside") === "note")
    return { paths: [], causes: [] };
  return { paths, causes: [work.position, ...policyCauses(board, "artifacts.outside")] };
}
