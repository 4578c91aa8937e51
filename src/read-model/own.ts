import type Database from "better-sqlite3";
import { projections as ours } from "../projections/all.ts";
import type { Projection } from "../projections/projection.ts";
import { views } from "../projections/views.ts";
import type { Checkpoint } from "./checkpoints.ts";
import { ReadModelError } from "./read-model-error.ts";

/**
 * Our projections and those of the embedding program. Their tables share one file.
 *
 * @throws Error: the name of a projection or table is taken or not valid
 */
export function withOwn(own: readonly Projection[]): readonly Projection[] {
  const names = new Set(ours.map(({ name }) => name));
  const tables = new Set([...views.map(({ name }) => name), ...tableNamesIn(ours)]);
  for (const projection of own) {
    take("projection", projection.name, names);
    for (const table of tablesOf(projection)) take("table", table, tables);
  }
  return [...ours, ...own];
}

/** False for a projection of an embedding program: nothing of ours reads its tables. */
export function isOurs(name: string): boolean {
  return ours.some((one) => one.name === name);
}

/** The remedy for an own projection that stopped: only the program that has its code can run it. */
export const MEND_OWN = "Correct its code, run `signalbox rebuild`, and start its program again.";

/** See `ReadModel.requireWhole`. @throws ReadModelError `stopped` */
export function requireWhole(
  read: readonly string[],
  own: readonly Projection[],
  stopped: readonly Checkpoint[],
): void {
  for (const { name, error } of stopped) {
    const tables = own.filter((one) => one.name === name).flatMap(tablesOf);
    if (!tables.some((table) => read.includes(table))) continue;
    const lacks = "Its tables lack this event and all later ones.";
    throw new ReadModelError("stopped", `Projection "${name}" stopped at ${error}. ${lacks} ${MEND_OWN}`);
  }
}

/** The tables that a query reads, by the program that SQLite makes of it: a column may have the name of a table. */
export function tablesReadBy(database: Database.Database, sql: string): string[] {
  // Newer than its types.
  const { explain } = database as unknown as { explain(sql: string): { opcode: string; p2: number }[] };
  const opened = explain.call(database, sql).flatMap(({ opcode, p2 }) => (opcode === "OpenRead" ? [p2] : []));
  const all = database.prepare<[], { tbl_name: string; rootpage: number }>(
    "SELECT tbl_name, rootpage FROM sqlite_schema",
  );
  const tables = all.all().filter(({ rootpage }) => opened.includes(rootpage));
  // One of a search is virtual, and opened by no page.
  const searches = [...sql.matchAll(/\b\w+_search\b/gi)].map(([name]) => name.toLowerCase());
  return [...tables.map(({ tbl_name }) => tbl_name), ...searches];
}

/** The names of the tables that a read model with these projections has. */
export function tableNamesIn(projections: readonly Projection[]): ReadonlySet<string> {
  return new Set(["projections", "rebuilds", ...projections.flatMap(tablesOf)]);
}

export function tablesOf({ tables }: Pick<Projection, "tables">): string[] {
  return Object.values(tables).flatMap(({ name, search }) => (search ? [name, `${name}_search`] : [name]));
}

function take(what: string, name: string, taken: Set<string>): void {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) || name.startsWith("sqlite_")) {
    throw new Error(
      `"${name}" is not a valid name for a ${what}: use lower-case words joined by "_", such as ` +
        '"acme_deploys".',
    );
  }
  if (taken.has(name)) {
    throw new Error(
      `The name of the ${what} "${name}" is already taken. Put an owner in front: "acme_${name}".`,
    );
  }
  taken.add(name);
}
