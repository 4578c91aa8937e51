import type { Event } from "../../events/types/index.ts";
import type { Board, Question } from "./tables.ts";

/** A human answered or dismissed a question, which keeps the state that it would have without that. */
export function closeQuestion(
  board: Board,
  event: Event,
  question: Question,
  close: { state: "answered" | "dismissed"; answer: string | null },
): void {
  if (question.state === "answered" || question.state === "dismissed") return;
  board.questions.update(question.id, {
    ...close,
    state_without_act: question.state,
    acted_at: event.position,
  });
}
