import { Refusal } from "../../decisions/refusal.ts";
import { stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import { eventAt } from "../../events/event-at.ts";
import { definitionOf } from "../../events/types/index.ts";
import { pc, print, printTable, quoteLine } from "../../lib/terminal/output.ts";
import type { Entry, Prompt } from "../../loop/prompt/part.ts";
import { promptsTable } from "../../projections/prompts.ts";

/** Shows each part of a prompt, why it is in, what it is made of, and what was cut. */
export function explainPrompt(prompt: Prompt): void {
  print(
    `Prompt of task ${prompt.task}, recipe ${prompt.recipe}: about ${prompt.tokens} of ${prompt.budget} tokens, ` +
      `${prompt.positions.length} events, ${prompt.cut} left out.\n`,
  );
  printTable(
    ["part", "characters", "entries", "why"],
    prompt.parts
      .filter(({ entries }) => entries.length > 0)
      .map(({ name, taken, cut, why }) => [
        name,
        sizeOf(taken),
        cut.length === 0 ? taken.length : `${taken.length} of ${taken.length + cut.length}`,
        why,
      ]),
  );
  for (const { name, taken, cut } of prompt.parts) {
    if (taken.length + cut.length === 0 || name === "instructions") continue;
    print(`\n${pc.bold(name)}`);
    printTable(
      ["", "positions", "characters", "why", "text"],
      [...taken.map((entry) => rowOf("in", entry)), ...cut.map((entry) => rowOf("cut", entry))],
    );
  }
}

/** What a session's prompt was made of, by what was recorded then. */
export interface RecordedPrompt {
  readonly task: number;
  readonly session: string;
  /** The position of its `prompt.built`. */
  readonly position: number;
  readonly characters: number;
  readonly tokens: number;
  readonly cut: number;
  readonly sha256: string;
  readonly entries: readonly { readonly position: number; readonly type: string; readonly text: string }[];
}

/**
 * @returns undefined if the session is open and nothing was recorded yet
 * @throws Refusal `not_found`: there is no such session of the task, or it ended without a recorded prompt
 */
export async function recordedPrompt(
  { readModel, log }: Store,
  task: number,
  session: string,
): Promise<RecordedPrompt | undefined> {
  const row = stateOf(readModel).sessions.get(session);
  if (row?.task_id !== task) throw new Refusal("not_found", `Task ${task} has no session ${session}.`);
  const recorded = readModel.rowsOf({ prompts: promptsTable }).prompts.get(session);
  if (!recorded && row.completed_at === null) return undefined;
  if (!recorded) {
    throw new Refusal(
      "not_found",
      `No prompt is recorded for session ${session}: signalbox built none for it.`,
    );
  }
  const positions: number[] = JSON.parse(recorded.positions);
  const entries = [];
  for (const position of positions) {
    const event = await eventAt(log, position);
    if (!event) continue;
    const text = definitionOf(event.type)?.timeline(event.payload) ?? "";
    entries.push({ position, type: event.type, text });
  }
  const { characters, tokens, cut, sha256, position } = recorded;
  return { task, session, position, characters, tokens, cut, sha256, entries };
}

export function explainRecorded(recorded: RecordedPrompt): void {
  const { task, session, position, tokens, characters, cut, sha256, entries } = recorded;
  print(
    `Prompt of session ${session} of task ${task}, recorded at position ${position}: about ${tokens} tokens ` +
      `(${characters} characters), ${cut} left out.\nSHA-256 ${sha256}\n`,
  );
  printTable(
    ["position", "event", "text"],
    entries.map(({ position: at, type, text }) => [at, type, quoteLine(text)]),
  );
}

function rowOf(state: "in" | "cut", { positions, text, why }: Entry): (string | number)[] {
  const shown = text.replaceAll("\n", " ").replace(/(^| )[>|] /g, "$1");
  return [state, positions.join(", "), text.length, quoteLine(why, 50), quoteLine(shown, 50)];
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((total, { text }) => total + text.length, 0);
}
