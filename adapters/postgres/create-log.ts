import { LogError } from "./core.ts";
import { askPrimary } from "./facts.ts";
import { postgresSchema } from "./schema.ts";
import { refuseOldServer } from "./server-error.ts";
import { parsePostgresUrl } from "./url.ts";

/**
 * Makes an empty log in a new schema, with its roles, as the login of the URL. A log that is there stays as it is.
 *
 * @throws LogError `server`: the login may not make schemas or roles, or the database is not in UTF-8
 */
export async function createPostgresLog(url: string): Promise<void> {
  const place = parsePostgresUrl(url);
  await askPrimary(place, async (primary) => {
    const { rows } = await primary.query(
      `SELECT current_setting('server_encoding'), current_setting('server_version_num'), to_regnamespace($1) IS NOT NULL,
         to_regclass($1 || '.about') IS NOT NULL`,
      [primary.schema],
    );
    const [encoding, version, isTaken, isLog] = rows[0] ?? [];
    if (isLog === "t") return;
    const refused = (what: string) => new LogError("server", `Cannot create a log (${place.shown}): ${what}`);
    refuseOldServer(version, place);
    if (encoding !== "UTF8") {
      throw refused(`the database's encoding is ${encoding}. Create a database with ENCODING 'UTF8'.`);
    }
    if (isTaken === "t") {
      throw refused(`the schema "${place.schema}" holds something else. Name another schema in the URL.`);
    }
    await primary.script(`BEGIN; ${postgresSchema(place.schema)} COMMIT;`);
  });
}
