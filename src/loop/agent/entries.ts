import { clients, commandEntries } from "./clients.ts";
import type { Entry } from "./entry.ts";
import { objectIn } from "./facts.ts";

/**
 * The readable entries in a line of any agent's output. The line's form tells its client, so that a
 * changed configuration does not matter; a line of no known form is an entry as it is.
 */
export function entriesOf(line: string): readonly Entry[] {
  if (line.trim() === "") return [];
  const parsed = objectIn(line);
  if (parsed === undefined) return [{ kind: "raw", text: line }];
  for (const read of READERS) {
    const entries = read(parsed);
    if (entries) return entries;
  }
  return [{ kind: "raw", text: line }];
}

const READERS = [commandEntries, ...Object.values(clients).map(({ entries }) => entries)];
