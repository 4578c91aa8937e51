import type { Event } from "../../events/types/index.ts";
import type { Board } from "../../projections/board/tables.ts";

/**
 * True for a learning that counts for its session: reported while it ran, and not late. Call after
 * the event.
 */
export function tellsLearning(
  { sessions }: Pick<Board, "sessions">,
  event: Event,
): event is Event<"signal.learned"> {
  if (event.type !== "signal.learned") return false;
  const session = sessions.get(event.payload.session);
  return session !== undefined && session.completed_at === null && session.task_id === event.payload.task;
}
