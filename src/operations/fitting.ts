import { shorten } from "../lib/shorten.ts";
import { takeFitting } from "../lib/take-fitting.ts";

/** The most characters of a list in an answer: about 10,000 tokens. */
export const LIST_LIMIT = 40_000;

/** In characters; in a list that an agent gets. */
const DESCRIPTION_LIMIT = 300;

/**
 * The longest prefix of a list that takes up to `LIST_LIMIT` characters as JSON, its descriptions shortened.
 *
 * @param noun the entries' plural, and the tool that shows one: `features`, `get_feature`
 * @returns these entries, the length of the list, and, if some were left out, what to do about it
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
