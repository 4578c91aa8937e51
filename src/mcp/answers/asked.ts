import { stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import { askAtHead } from "../../projections/ask.ts";
import type { Question } from "../../projections/board/tables.ts";

/** A question with what a human must know to answer it, as of one position. */
export interface Asked {
  readonly question: Question;
  /** Of the task that it is about. */
  readonly title: string;
  /** True if the session that asked has ended: its agent is told nothing more that it could act on. */
  readonly ended: boolean;
  /** The position as of which this is so. */
  readonly position: number;
}

/** @returns undefined where no question has this id */
export function lookUp(store: Store, id: number): Promise<Asked | undefined> {
  return askAtHead(store, (readModel) => {
    const state = stateOf(readModel);
    const question = state.questions.get(id);
    if (!question) return undefined;
    return {
      question,
      title: state.tasks.get(question.task_id)?.title ?? "",
      ended: Boolean(state.sessions.get(question.session_id)?.completed_at),
      position: readModel.position(),
    };
  });
}

/** True once a human has answered it or set it aside, wherever that was. */
export function isDecided({ question: { state } }: Asked): boolean {
  return state === "answered" || state === "dismissed";
}
