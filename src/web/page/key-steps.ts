/** What a pressed key does: it completes a bound key, begins a sequence such as `g b`, or nothing. */
export type KeyStep = { readonly key: string } | { readonly begins: string } | undefined;

/**
 * @param keys the bound keys: `j`, `Enter`, or two keys one after the other, `g b`
 * @param begun the first key of a sequence, if one was pressed just before
 */
export function keyStep(keys: readonly string[], pressed: string, begun?: string): KeyStep {
  const key = begun === undefined ? pressed : `${begun} ${pressed}`;
  if (keys.includes(key)) return { key };
  const isBeginning = begun === undefined && keys.some((one) => one.startsWith(`${pressed} `));
  return isBeginning ? { begins: pressed } : undefined;
}

/** A binding's area and key, as far as a list of them needs them. */
interface Bound<Binding> {
  readonly area: string;
  readonly bindings: readonly Binding[];
}

/**
 * The bindings that work, by area: of several for one key the last. Areas are in the order of their
 * rank; of those of one rank the one that was bound last comes first.
 */
export function workingKeys<Binding extends { readonly key: string }>(
  bound: readonly Bound<Binding>[],
  rankOf: (area: string) => number,
): Bound<Binding>[] {
  const taken = new Set<string>();
  const areas = new Map<string, Binding[]>();
  for (const { area, bindings } of bound.toReversed()) {
    const working = bindings.filter(({ key }) => !taken.has(key));
    for (const { key } of working) taken.add(key);
    areas.set(area, [...(areas.get(area) ?? []), ...working]);
  }
  return [...areas]
    .map(([area, bindings]) => ({ area, bindings }))
    .filter(({ bindings }) => bindings.length > 0)
    .sort((a, b) => rankOf(a.area) - rankOf(b.area));
}
