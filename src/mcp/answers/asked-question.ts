import { stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import type { Question } from "../../projections/board/tables.ts";
import { askAtHead } from "../../read-model/ask.ts";

/** A question with the context that a human needs, as of one position. */
export interface AskedQuestion {
  readonly question: Question;
  /** The title of its task. */
  readonly title: string;
  /** True if the asking session has ended: its agent must not act on an answer. */
  readonly ended: boolean;
  /** The position of this state. */
  readonly position: number;
}

/** @returns undefined if there is no such question */
export function lookUp(store: Store, id: number): Promise<AskedQuestion | undefined> {
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

/** True once a human has answered or dismissed it, on any surface. */
export function isDecided({ question: { state } }: AskedQuestion): boolean {
  return state === "answered" || state === "dismissed";
}
