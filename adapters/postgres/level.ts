import { LogError, PROGRAM_LEVEL } from "./core.ts";
import { askPrimary } from "./facts.ts";
import { parsePostgresUrl } from "./url.ts";

/**
 * Raises the level that programs need to append, when every host that gave a sign of life within a day has it.
 *
 * @param url with a login that owns the log
 * @throws LogError `server`: this program or a host has a lower level; the login may not; `busy`
 */
export async function raiseLevel(url: string, level: number): Promise<{ readonly level: number }> {
  if (!Number.isSafeInteger(level) || level < 1)
    throw new LogError("server", "A level is a whole number from 1 on.");
  if (level > PROGRAM_LEVEL)
    throw new LogError(
      "server",
      `This program has level ${PROGRAM_LEVEL}. Update signalbox here and on every host first.`,
    );
  return askPrimary(parsePostgresUrl(url), async (connection) => {
    const { schema } = connection;
    const { rows } = await connection.query(
      `SELECT name, level FROM ${schema}.hosts WHERE level < $1 AND beat_at > clock_timestamp() - interval '1 day' ORDER BY name`,
      [level],
    );
    if (rows.length > 0) {
      const older = rows.map(([name, has]) => `${name} (level ${has})`).join(", ");
      throw new LogError(
        "server",
        `Hosts with older programs are at work: ${older}. Update signalbox there, or stop them and wait a day.`,
      );
    }
    const raised = await connection.query(
      `UPDATE ${schema}.about SET level = $1 WHERE level <= $1 RETURNING level`,
      [level],
    );
    if (raised.rows.length === 0)
      throw new LogError("server", "The log's level is higher already, and never falls.");
    return { level };
  });
}
