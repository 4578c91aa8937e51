import { sessionStream, taskStream } from "../../events/types/fields.ts";
import { type Event, type EventType, eventDefinitions } from "../../events/types/index.ts";
import { sessionIn, taskIn } from "../../events/types/subject.ts";
import type { Board } from "./tables.ts";

type Reducers = { readonly [Type in EventType]?: (event: Event<Type>, board: Board) => void };

/**
 * The same reducers, which also keep where to find the events of a task or session that its streams do not have
 * (docs/decisions/0052-events-by-subject.md). Nearly every event stands in the stream of its task or session.
 */
export function keepingSubjects(reducers: Reducers): Reducers {
  const entries = eventDefinitions.map(({ type }) => {
    // What is kept of a type reduces events of that type.
    const reducer = reducers[type] as ((event: Event, board: Board) => void) | undefined;
    const both = (event: Event, board: Board) => {
      reducer?.(event, board);
      keepSubjects(board, event);
    };
    return [type, both];
  });
  return Object.fromEntries(entries);
}

/** The streams of `subjectEvents` in src/replay/log/subject-events.ts are the other half of this. */
function keepSubjects(board: Board, event: Event): void {
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
