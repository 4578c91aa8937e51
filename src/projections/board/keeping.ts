import { sessionStream, taskStream } from "../../events/types/fields.ts";
import { type Event, type EventType, eventDefinitions } from "../../events/types/index.ts";
import { sessionIn, tasksIn } from "../../events/types/subject.ts";
import { type WatchedBoard, watchBoard } from "./inbox-items.ts";
import type { Board } from "./tables.ts";

type Reducers = { readonly [Type in EventType]?: (event: Event<Type>, board: Board) => void };

/**
 * The same reducers, each followed by the updates that any event may need: inbox items and
 * subjects.
 */
export function keepingUp(reducers: Reducers): Reducers {
  const entries = eventDefinitions.map(({ type }) => {
    // The wrapper of a type's reducer reduces events of that type.
    const reducer = reducers[type] as ((event: Event, board: Board) => void) | undefined;
    const reduce = (event: Event, board: Board) => {
      if (reducer) {
        const watched = watchedOf(board);
        watched.begin();
        reducer(event, watched.board);
        watched.keepItems();
      }
      keepSubjects(board, event);
    };
    return [type, reduce] as const;
  });
  return Object.fromEntries(entries);
}

/** Each board reduces one event after another. */
const known = new WeakMap<Board, WatchedBoard>();

function watchedOf(board: Board): WatchedBoard {
  const before = known.get(board);
  if (before) return before;
  const watched = watchBoard(board);
  known.set(board, watched);
  return watched;
}

/**
 * Indexes the events about a task or session that are not in its streams
 * (docs/decisions/0044-events-by-subject.md). Nearly every event is in the stream of its task or
 * session: `subjectPositions` in src/history/log/ combines both.
 */
function keepSubjects(board: Board, event: Event): void {
  const { position, stream } = event;
  const session = sessionIn(event);
  const tasks = tasksIn(event.payload);
  const isOfSession = session !== undefined && stream === sessionStream({ session });
  if (isOfSession && tasks.length === 0) return;
  const taskOfSession =
    session === undefined ? undefined : (board.sessions.get(session)?.task_id ?? undefined);
  if (session !== undefined && !isOfSession) {
    if (taskOfSession === undefined || stream !== taskStream({ task: taskOfSession }))
      board.subjectEvents.insert({ subject: sessionStream({ session }), position });
  }
  for (const task of new Set(tasks)) {
    if (task !== taskOfSession && stream !== taskStream({ task }))
      board.subjectEvents.insert({ subject: taskStream({ task }), position });
  }
}
