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
  let room = LIST_LIMIT;
  const end = all.findIndex((entry) => {
    room -= JSON.stringify(entry).length + 1;
    return room < 0;
  });
  const total = all.length;
  if (end === -1) return { entries: [...all], total };
  const next = `Only the first ${end} of ${total} ${noun} are here; ${tool} shows any by its name.`;
  return { entries: all.slice(0, end), total, next };
}
