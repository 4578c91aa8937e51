import { quote } from "../projections/table.ts";
import { tableNamesIn } from "./own.ts";
import type { ReadModel } from "./read-model.ts";

/**
 * Removes the tables of projections that this program does not know: own ones of another program, or those of a newer version. A
 * program that knows them makes them anew the next time it looks.
 */
export function dropUnknownProjections(readModel: ReadModel): void {
  const { checkpoints, database, projections } = readModel;
  const known = new Set(projections.map(({ name }) => name));
  const unknown = checkpoints.list().filter(({ name }) => !known.has(name));
  if (unknown.length === 0) return;
  readModel.transaction(() => {
    for (const { name } of unknown) checkpoints.remove(name);
    const tables = tableNamesIn(projections);
    // The tables of a search go with it, and those of a rebuild (`tasks__r12`) with the rebuild.
    const found = database.prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'",
    );
    for (const name of found.pluck().all())
      if (!tables.has(name) && !/__r\d/.test(name)) database.exec(`DROP TABLE ${quote(name)}`);
  });
}
