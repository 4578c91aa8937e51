import type { AnswerOf } from "../../../../server/answers/index.ts";
import { useAnswer, useFixed } from "../../../answers.ts";
import { useLastComplete } from "../../../last-complete.ts";

/**
 * The changes of a session in the present. Those of an ended one stay the same, and are asked for
 * once. After an error the last answer stays.
 *
 * @param open the files whose diffs are asked for
 */
export function useChanges({ id, completed_at }: AnswerOf<"session">, open: readonly string[], text: string) {
  const isRunning = completed_at === null;
  const query = {
    session: id,
    open: open.length === 0 ? undefined : JSON.stringify(open),
    text: text === "" ? undefined : text,
  };
  const running = useAnswer("session_changes", query, { enabled: isRunning, every_ms: EVERY_MS });
  const ended = useFixed("session_changes", query, !isRunning);
  const { answer, error, isOld } = isRunning ? running : ended;
  const last = useLastComplete(id, answer !== undefined, answer);
  return { answer: answer ?? last, error, isOld: isOld || answer === undefined };
}

const EVERY_MS = 3_000;
