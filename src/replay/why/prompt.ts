import type { EventLog } from "../../events/log.ts";
import { promptsTable } from "../../projections/prompts.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { type CitedEvent, citationsIn } from "./cited-events.ts";

/** Which events a session's prompt was made of, or one line of it. */
export interface PromptReasons {
  readonly kind: "prompt";
  readonly at: number;
  readonly session: string;
  readonly task: number;
  /** The position of its `prompt.built`. */
  readonly position: number;
  readonly sha256: string;
  /** The line that is asked for; null for the whole prompt. */
  readonly line: string | null;
  /** The events that went in, ascending: those that became the line, or all of them. */
  readonly from: readonly number[];
  readonly events: readonly CitedEvent[];
}

/**
 * @param asked a line, and the events that it was made of; absent: the whole prompt
 * @returns undefined where no prompt was recorded for the session
 */
export async function whyPrompt(
  readModel: ReadModel,
  log: EventLog,
  session: string,
  asked?: { readonly line: string; readonly madeOf: readonly number[] },
): Promise<PromptReasons | undefined> {
  const prompt = readModel.rowsOf({ prompts: promptsTable }).prompts.get(session);
  if (!prompt) return undefined;
  const { task_id: task, position, sha256 } = prompt;
  const recorded: number[] = JSON.parse(prompt.positions);
  const from = asked ? recorded.filter((one) => asked.madeOf.includes(one)) : recorded;
  return {
    kind: "prompt",
    at: readModel.position(),
    session,
    task,
    position,
    sha256,
    line: asked?.line ?? null,
    from,
    events: await citationsIn(readModel, log)(from),
  };
}
