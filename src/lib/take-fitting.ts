/**
 * The longest prefix whose JSON list fits in `room` characters. Reads at most one more entry from
 * an iterator.
 */
export function takeFitting<Entry>(entries: Iterable<Entry>, room: number): Entry[] {
  const taken: Entry[] = [];
  let left = room;
  for (const entry of entries) {
    left -= JSON.stringify(entry).length + 1;
    if (left < 0) break;
    taken.push(entry);
  }
  return taken;
}
