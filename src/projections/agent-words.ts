import { AGENT } from "../events/actors.ts";
import { flag, json, means, toFlag } from "./table.ts";

/** The columns that tell which words of an entry are an agent's: a prompt quotes those as data (decision 0019). */
export const agentWordsColumns = {
  agent_words: means(flag, "1 if any of it is in an agent's words"),
  agent_fields: means(
    json,
    "array of the fields that are: a text is whose who gave it last, a list an agent's while anything of what the agent gave is left",
  ),
};

/**
 * Those columns after somebody gave these fields. Who gives a text gives all of it. A list that held an agent's words
 * stays an agent's while anything of it is left, since a human who adds to it vouches for nothing that was there.
 *
 * @param given the fields of the event; what is undefined was not given
 * @param before the entry's row, lists as JSON; absent for a new entry
 */
export function agentWords(
  actor: string,
  given: object,
  before: Readonly<Record<string, unknown>> = {},
): { readonly agent_words: 0 | 1; readonly agent_fields: string } {
  const fields = new Set(textsIn(before.agent_fields));
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (actor === AGENT) fields.add(field);
    else if (!isLeft(value, before[field])) fields.delete(field);
  }
  return { agent_words: toFlag(fields.size > 0), agent_fields: JSON.stringify([...fields].sort()) };
}

/** Whether anything of a list is in the list that takes its place. */
function isLeft(value: unknown, column: unknown): boolean {
  return Array.isArray(value) && textsIn(column).some((text) => value.includes(text));
}

function textsIn(column: unknown): string[] {
  return typeof column === "string" ? JSON.parse(column) : [];
}
