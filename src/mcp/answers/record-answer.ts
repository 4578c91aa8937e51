import { decide } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Store } from "../../decisions/store.ts";
import { HUMAN } from "../../events/actors.ts";
import { answerQuestion } from "../../operations/inbox.ts";
import type { Asked } from "./asked.ts";

/** Records a human's answer; if another human was faster, their decision stands. */
export async function recordAnswer(
  store: Store,
  { question: { id, session_id } }: Asked,
  answer: string,
): Promise<void> {
  try {
    await decide(store, answerQuestion({ id, answer }), { actor: HUMAN, correlation: session_id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
  }
}
