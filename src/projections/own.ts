import { projections as ours } from "./all.ts";
import type { Projection } from "./projection.ts";
import { views } from "./views.ts";

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

/** The names of the tables that a read model with these projections has. */
export function tableNamesIn(projections: readonly Projection[]): ReadonlySet<string> {
  return new Set(["projections", "rebuilds", ...projections.flatMap(tablesOf)]);
}

function tablesOf({ tables }: Projection): string[] {
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
