import { shorten } from "../lib/shorten.ts";
import { takeFitting } from "../lib/take-fitting.ts";

/** What a list takes in an answer at most, in characters: about 10,000 tokens. */
export const LIST_LIMIT = 40_000;

/** In characters; in a list that an agent gets. */
const DESCRIPTION_LIMIT = 300;

/**
 * The first entries of a list with their descriptions shortened, as many as take up to `LIST_LIMIT` characters as JSON.
 *
 * @param noun what they are, several of them, and the tool that shows any: `features`, `get_feature`
 * @returns those entries, how many there are in all, and, where some were left out, what to do about it
 */
export function fitting<Entry extends { readonly description: string }>(
  all: readonly Entry[],
  { noun, tool }: { readonly noun: string; readonly tool: string },
): { entries: Entry[]; total: number; next?: string } {
  const short = all.map((one) => ({ ...one, description: shorten(one.description, DESCRIPTION_LIMIT) }));
  const entries = takeFitting(short, LIST_LIMIT);
  const total = all.length;
  if (entries.length === total) return { entries, total };
  const next = `Showing the first ${entries.length} of ${total} ${noun}; ${tool} shows any of them by name.`;
  return { entries, total, next };
}
