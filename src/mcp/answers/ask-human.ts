import type { Store } from "../../decisions/store.ts";
import type { Caller } from "../caller.ts";
import { type AskedQuestion, lookUp } from "./asked-question.ts";
import { filledForm, questionForm, readForm } from "./form.ts";
import { type Forms, InputRequired } from "./forms.ts";
import { recordAnswer } from "./record-answer.ts";
import type { Recorded } from "./recorded.ts";
import type { Waiting } from "./waiting.ts";

// Everything that at-client.ts loads on demand, in one module: each further chunk would split the
// server's start-up code.
export { confirmedConfig } from "../../config/confirmed.ts";
export { Waiting } from "./waiting.ts";

/**
 * Shows a recorded question to the human at the client, and completes the agent's answer with the
 * human's, or with the reason why there is none. The question's recorded state counts, whoever
 * decided it.
 *
 * @throws InputRequired: the client asks, and repeats the call with the answer
 */
export async function askHuman(
  { store, waiting, wait_s }: { store: Store; waiting: Waiting; wait_s: number },
  recorded: Recorded,
  { caller, forms }: { caller: Caller; forms: Forms },
): Promise<Recorded> {
  const asked = await lookUp(store, recorded.position);
  if (!asked) return recorded;
  // Late, or repeated after it was decided or its session ended: nothing to ask.
  if (asked.question.state !== "raised") return tell(recorded, asked);
  const why =
    "filled" in forms
      ? await recordFilled(store, asked, forms.filled)
      : await waiting.answerTo(asked, caller, forms.sendRequest, wait_s);
  return tell(recorded, (await lookUp(store, recorded.position)) ?? asked, why);
}

/** @returns why there is no answer; undefined if there is one */
async function recordFilled(
  store: Store,
  asked: AskedQuestion,
  filled: unknown,
): Promise<string | undefined> {
  if (filled === undefined) throw new InputRequired(questionForm(asked));
  const form = filledForm.safeParse(filled);
  if (!form.success) return "The client's answer could not be read.";
  const read = readForm(asked, form.data);
  if ("why" in read) return read.why;
  await recordAnswer(store, asked, read.answer);
  return undefined;
}

function tell(recorded: Recorded, { question, ended }: AskedQuestion, why?: string): Recorded {
  const { state, answer } = question;
  if (state === "answered" && answer !== null) {
    return {
      ...recorded,
      answer,
      next: ended ? `A human has answered. ${ENDED_BEFORE}` : "A human has answered: go on.",
    };
  }
  if (state === "dismissed") {
    const next = "A human closed this question without an answer";
    return {
      ...recorded,
      next: ended ? `${next}. ${ENDED_BEFORE}` : `${next}: decide by yourself and go on.`,
    };
  }
  if (why === undefined) return recorded;
  return { ...recorded, next: `${why} ${ended ? ENDED : recorded.next}` };
}

const ENDED = "The session has ended in the meantime. Stop here.";
const ENDED_BEFORE = "The session has ended in the meantime; the next one gets the answer. Stop here.";
