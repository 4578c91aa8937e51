import { takeFitting } from "../lib/take-fitting.ts";

/** What a list takes in an answer at most, in characters: about 10,000 tokens. */
export const LIST_LIMIT = 40_000;

/**
 * The first entries of a list, as many as take up to `LIST_LIMIT` characters as JSON.
 *
 * @param noun what they are, several of them, and the tool that shows any: `features`, `get_feature`
 * @returns those entries, how many there are in all, and, where some were left out, what to do about it
 */
export function fitting<Entry>(
  all: readonly Entry[],
  { noun, tool }: { readonly noun: string; readonly tool: string },
): { entries: Entry[]; total: number; next?: string } {
  const entries = takeFitting(all, LIST_LIMIT);
  const total = all.length;
  if (entries.length === total) return { entries, total };
  const next = `Showing the first ${entries.length} of ${total} ${noun}; ${tool} shows any of them by name.`;
  return { entries, total, next };
}
