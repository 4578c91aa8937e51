import { decide } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Store } from "../../decisions/store.ts";
import { AGENT_CLIENT } from "../../events/actors.ts";
import { answerQuestion } from "../../operations/inbox.ts";
import type { AskedQuestion } from "./asked-question.ts";

/** Records an answer that came through the agent's client; if a human was faster elsewhere, their decision stands. */
export async function recordAnswer(
  store: Store,
  { question: { id, session_id } }: AskedQuestion,
  answer: string,
): Promise<void> {
  try {
    await decide(store, answerQuestion({ id, answer }), { actor: AGENT_CLIENT, correlation: session_id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
  }
}
