import type { EventLog } from "../../events/log.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { promptsTable } from "../../projections/prompts.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { type Fact, factsIn } from "./fact.ts";

/** Which events a session's prompt was made of, or one line of it. */
export interface PromptReasons {
  readonly kind: "prompt";
  readonly at: number;
  readonly session: string;
  readonly task: number;
  /** The position of its `prompt.built`. */
  readonly position: number;
  readonly sha256: string;
  /** The line that is asked for, without the mark of a quote; null for the whole prompt. */
  readonly line: string | null;
  /** The events that went in and say the line, ascending; for the whole prompt all of them. */
  readonly from: readonly number[];
  readonly events: readonly Fact[];
}

/**
 * A line comes from the events that say it, of those that the recorded prompt was made of. A line that none says is of the
 * instructions, or of what the task, the feature or the discipline were like.
 *
 * @returns undefined where no prompt was recorded for the session
 */
export async function whyPrompt(
  readModel: ReadModel,
  log: EventLog,
  { session, line }: { readonly session: string; readonly line?: string | undefined },
): Promise<PromptReasons | undefined> {
  const prompt = readModel.rowsOf({ prompts: promptsTable }).prompts.get(session);
  if (!prompt) return undefined;
  const wanted = line === undefined ? undefined : withoutMark(line);
  const positions: number[] = JSON.parse(prompt.positions);
  const from: number[] = [];
  for (const position of positions) {
    const [event] = await log.read(position - 1, 1);
    if (event && (wanted === undefined || says(event, wanted))) from.push(position);
  }
  const { task_id: task, position, sha256 } = prompt;
  const events = await factsIn(readModel, log).at(from);
  return {
    kind: "prompt",
    at: readModel.position(),
    session,
    task,
    position,
    sha256,
    line: wanted ?? null,
    from,
    events,
  };
}

/** A prompt quotes the lines of others behind `> ` (a human's) and `| ` (an agent's); lists begin with `- `. */
function withoutMark(line: string): string {
  return line.replace(/^\s*(?:[>|] ?)?(?:- )?/, "").trim();
}

function says({ type, payload }: Event, wanted: string): boolean {
  if (wanted === "") return false;
  const told = [...textsIn(payload), definitionOf(type)?.timeline(payload) ?? ""];
  // A prompt puts its own words before an answer or a rationale, on the line of what was said.
  return told.some((text) => text.split(/\r\n|\n|\r/).some((one) => isPartOf(one.trim(), wanted)));
}

function isPartOf(said: string, wanted: string): boolean {
  return said !== "" && (said.includes(wanted) || (said.length >= DISTINCT && wanted.includes(said)));
}

/** A shorter text stands in many a line by chance. */
const DISTINCT = 8;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
