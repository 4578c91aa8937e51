import type { Event } from "../../events/types/index.ts";
import { sessionIn, taskIn, tasksIn } from "../../events/types/subject.ts";
import { sessions } from "../../projections/board/session-tables.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** The subject of an event. */
export interface Subject {
  /** The task that it names. */
  readonly task: number | undefined;
  /** The same, or those that a decision on a plan names. */
  readonly tasks: readonly number[];
  /** The session that it names, or during which it happened. */
  readonly session: string | undefined;
  /** The task of this session. */
  readonly taskOfSession: number | undefined;
}

/** Looks up the subjects of events; the read model must have reached them. */
export function subjectsIn(readModel: ReadModel): (event: Event) => Subject {
  const rows = readModel.rowsOf({ sessions }).sessions;
  // Events of a session are close together, so a small cache suffices.
  const known = new Map<string, number>();
  return (event) => {
    const session = sessionIn(event);
    const task = taskIn(event.payload);
    const tasks = tasksIn(event.payload);
    if (session === undefined) return { task, tasks, session, taskOfSession: undefined };
    const taskOfSession = known.get(session) ?? rows.get(session)?.task_id ?? undefined;
    if (taskOfSession !== undefined) {
      if (known.size >= KEPT) known.clear();
      known.set(session, taskOfSession);
    }
    return { task, tasks, session, taskOfSession };
  };
}

const KEPT = 1_000;
