import { parseColumn } from "../projections/parse-column.ts";

/** The first argument of a signal: the summary, the question, … @param payload as the table `signals` has it */
export function firstArgument(payload: string): string {
  const [first = ""]: unknown[] = Object.values(parseColumn(payload));
  return String(first);
}
