import { AGENT } from "../events/actors.ts";
import { parseColumn } from "./parse-column.ts";
import { flag, json, means, toFlag } from "./table.ts";

/**
 * Columns that mark which texts of an entry an agent wrote: a prompt quotes those as data (decision
 * 0019).
 */
export const agentWordsColumns = {
  agent_words: means(flag, "1 if an agent wrote any of it"),
  agent_fields: means(
    json,
    "array of the fields an agent wrote: a text belongs to its last writer, a list to the agent " +
      "while any of the agent's entries is left",
  ),
};

/**
 * The marks after a writer set these fields. A text belongs to its last writer as a whole. A list
 * stays the agent's as long as one of the agent's entries is left: a human who adds to it vouches
 * for none of the older entries.
 *
 * @param given the fields of the event; undefined ones are unchanged
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

/** Whether a list shares an entry with the list that replaces it. */
function isLeft(value: unknown, column: unknown): boolean {
  return Array.isArray(value) && textsIn(column).some((text) => value.includes(text));
}

function textsIn(column: unknown): string[] {
  return typeof column === "string" ? parseColumn(column) : [];
}
