import { type Event, type EventType, eventDefinitions } from "../../events/types/index.ts";
import { type WatchedBoard, watchBoard } from "./inbox-items.ts";
import { keepSubjects } from "./subjects.ts";
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
