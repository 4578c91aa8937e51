import { askPrimary } from "./facts.ts";
import { movedElsewhere } from "./server-error.ts";
import { parsePostgresUrl } from "./url.ts";

/**
 * Ends a log on a server, which goes on at another place: from then on every handle of every host fails with `moved_to`. While
 * `carryRest` works, nobody can append. A log that was ended for this place stays ended.
 *
 * @param url with a login that owns the log
 * @param to where the log goes on, in words for people: without a password
 * @param carryRest takes to the other place what it lacks; if it throws, the log goes on here
 * @throws LogError `moved_to`: it went to another place; `server`, `busy`; whatever `carryRest` throws
 */
export function endPostgresLog(url: string, to: string, carryRest: () => Promise<void>): Promise<void> {
  const place = parsePostgresUrl(url);
  return askPrimary(place, async (connection) => {
    const { schema } = connection;
    await connection.query("BEGIN");
    try {
      await connection.query(`SELECT ${schema}.lock_log()`);
      const { rows } = await connection.query(`SELECT moved_to FROM ${schema}.about`);
      const before = rows[0]?.[0];
      if (before && before !== to) throw movedElsewhere(place, before);
      await carryRest();
      await connection.query(`UPDATE ${schema}.about SET moved_to = $1`, [to]);
      await connection.durably("COMMIT");
    } catch (error) {
      await connection.query("ROLLBACK").catch(() => {});
      throw error;
    }
  });
}
