import { asLogError, openForWriting } from "./sqlite-file.ts";
import { MOVED_SCHEMA } from "./sqlite-schema.ts";

/**
 * Ends a log's file, whose log goes on at another place: from then on every handle of every process fails with `moved_to`. While
 * `carryRest` works, nobody can append.
 *
 * @param to where the log goes on, in words for people: without a password
 * @param carryRest takes to the other place what it lacks; if it throws, the file stays as it was
 * @throws LogError `busy`: another process writes; `disk`, `damaged`; whatever `carryRest` throws
 */
export async function endFile(path: string, to: string, carryRest: () => Promise<void>): Promise<void> {
  const database = openForWriting(path);
  try {
    database.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    database.exec("BEGIN IMMEDIATE");
    await carryRest();
    database.exec(MOVED_SCHEMA);
    database.prepare("INSERT INTO moved (location) VALUES (?)").run(to);
    database.exec("COMMIT");
  } catch (cause) {
    throw asLogError(cause, path);
  } finally {
    // Rolls back what was not committed.
    database.close();
  }
}

const LOCK_TIMEOUT_MS = 10_000;
