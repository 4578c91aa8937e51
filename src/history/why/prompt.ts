import type { EventLog } from "../../events/log.ts";
import { parseColumn } from "../../projections/parse-column.ts";
import { promptsTable } from "../../projections/prompts.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { type CitedEvent, citationsIn } from "./cited-events.ts";

/** The events behind a session's prompt, or behind one line of it. */
export interface PromptReasons {
  readonly kind: "prompt";
  readonly at: number;
  readonly session: string;
  /** Null for a session without one. */
  readonly task: number | null;
  /** The position of its `prompt.built`. */
  readonly position: number;
  readonly sha256: string;
  /** The requested line; null for the whole prompt. */
  readonly line: string | null;
  /** The source events, ascending: of the line, or all of them. */
  readonly from: readonly number[];
  readonly events: readonly CitedEvent[];
}

/**
 * @param asked a line, and its source events; absent: the whole prompt
 * @returns undefined if no prompt was recorded for the session
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
  const recorded: number[] = parseColumn(prompt.positions);
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
