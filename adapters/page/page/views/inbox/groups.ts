import type { Kind } from "../../parts/inbox-item/kinds.tsx";

/** The items of one kind, which stand together in the inbox's order. */
export interface Group {
  readonly kind: Kind;
  readonly items: number;
  /** The place of its first item among all items. */
  readonly place: number;
}

export function groupsOf(kinds: readonly { readonly kind: Kind; readonly items: number }[]): Group[] {
  let place = 0;
  return kinds.flatMap(({ kind, items }) => {
    if (items <= 0) return [];
    place += items;
    return [{ kind, items, place: place - items }];
  });
}

/** A row of the list: the heading of a group, or an item by its place. */
export function rowAt(groups: readonly Group[], row: number): Group | number {
  const nth = groups.findLastIndex(({ place }, before) => place + before <= row);
  const group = groups[nth];
  return group && group.place + nth === row ? group : row - nth - 1;
}

/** The row of an item: each group before it and its own have a heading. */
export function rowOf(groups: readonly Group[], place: number): number {
  return place + groups.filter((group) => group.place <= place).length;
}
