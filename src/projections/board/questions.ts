import type { Event } from "../../events/types/index.ts";
import type { Board, Question } from "./tables.ts";

/** Records a human's answer or dismissal; undoing it restores the question's earlier state. */
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
