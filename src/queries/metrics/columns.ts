import type { Question } from "../../read-model/question.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { type Packed, unpacked } from "./packed.ts";
import { byGroup, type Group, type GroupKey, type Scope, type ScopeValues } from "./scope.ts";

/** A row of packed columns; `keys` are those of the rows' groups, by `keysOf`. */
type PackedColumns = { readonly keys: Packed<GroupKey> } & Readonly<Record<string, Packed<unknown>>>;

/** The columns of a group. */
export type Columns<Row extends PackedColumns> = { readonly group: Group } & {
  readonly [Name in Exclude<keyof Row, "keys">]: Row[Name] extends Packed<infer Value>
    ? readonly Value[]
    : never;
};

/**
 * The columns of what counts, by groups, in the order of their names.
 *
 * @param question may answer with several rows: the columns of each go on those of the row before
 */
export function columnsByGroup<Row extends PackedColumns>(
  readModel: ReadView,
  scope: Scope,
  question: Question<ScopeValues, Row>,
): Columns<Row>[] {
  const rows = readModel.all(question, scope.given);
  const groups = new Map<Group, number>();
  const places = columnOf(rows.map(({ keys }) => keys)).map((key) => placeIn(groups, scope.groupOf(key)));
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "keys");
  const columns = names.map((name) => {
    const values = columnOf(rows.flatMap((row) => row[name] ?? []));
    return [name, splitAt(places, groups.size, values)] as const;
  });
  return byGroup(
    Array.from(groups, ([group, place]) => {
      const own = Object.fromEntries(columns.map(([name, parts]) => [name, parts[place]]));
      // The names are those of the row, and under each is what was packed there.
      return { group, ...own } as Columns<Row>;
    }),
  );
}

function columnOf<Value>(packs: readonly Packed<Value>[]): readonly Value[] {
  return packs.reduce<readonly Value[]>((all, pack) => all.concat(unpacked(pack)), []);
}

function placeIn(groups: Map<Group, number>, group: Group): number {
  const place = groups.get(group) ?? groups.size;
  groups.set(group, place);
  return place;
}

/** Values by the place that each goes to. */
function splitAt(
  places: readonly number[],
  count: number,
  values: readonly unknown[],
): (readonly unknown[])[] {
  if (count === 1) return [values];
  const parts = Array.from({ length: count }, (): unknown[] => []);
  values.forEach((value, row) => {
    parts[places[row] ?? 0]?.push(value);
  });
  return parts;
}
