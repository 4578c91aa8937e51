import { sessionStream, taskStream } from "../../events/types/fields.ts";
import type { Event } from "../../events/types/index.ts";
import { sessionIn, taskIn } from "../../events/types/subject.ts";
import type { Board } from "./tables.ts";

/**
 * Indexes the events about a task or session that are not in its streams
 * (docs/decisions/0044-events-by-subject.md). Nearly every event is in the stream of its task or
 * session: `subjectPositions` in src/history/log/ combines both.
 */
export function keepSubjects(board: Board, event: Event): void {
  const { position, stream } = event;
  const session = sessionIn(event);
  const task = taskIn(event.payload);
  const isOfSession = session !== undefined && stream === sessionStream({ session });
  if (isOfSession && task === undefined) return;
  const taskOfSession = session === undefined ? undefined : board.sessions.get(session)?.task_id;
  if (session !== undefined && !isOfSession) {
    if (taskOfSession === undefined || stream !== taskStream({ task: taskOfSession }))
      board.subjectEvents.insert({ subject: sessionStream({ session }), position });
  }
  if (task !== undefined && task !== taskOfSession && stream !== taskStream({ task }))
    board.subjectEvents.insert({ subject: taskStream({ task }), position });
}
