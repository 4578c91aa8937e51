/**
 * The first entries, as many as take up to `room` characters as JSON in a list. Of an iterator no more are taken than fit,
 * and one.
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
