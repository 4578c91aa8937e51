import { openToLook } from "../../events/sqlite-look.ts";
import { checkFolder } from "../../lib/project-folder.ts";
import { completions, type Word } from "../../queries/completions.ts";
import type { Candidate, Kind } from "./kinds.ts";

/** Kinds of things that the read model has. */
export type TableKind = keyof typeof completions;

export function isOfTable(kind: Kind): kind is TableKind {
  return Object.hasOwn(completions, kind);
}

/**
 * The things of a project whose names begin with a text, as the read model has them now: nothing is written, and it may be some
 * events behind the log.
 *
 * @throws LogError, SqliteError: there is no read model, or an older version made it
 */
export function valuesIn(readModelPath: string, kind: TableKind, prefix: string): Candidate[] {
  checkFolder(readModelPath);
  const database = openToLook(readModelPath);
  const found: Candidate[] = [];
  try {
    for (const word of database.prepare<[], Word>(completions[kind].sql).iterate()) {
      const value = String(word.value);
      if (!value.startsWith(prefix)) continue;
      found.push({ value, meaning: word.kind === null ? word.text : `${word.kind}: ${word.text}` });
      if (found.length === MOST) break;
    }
  } finally {
    database.close();
  }
  return found;
}

/** More than anybody reads. */
const MOST = 200;
