/** An action with a keyboard shortcut, as the help (`?`) and the palette list it. */
export interface KeyBinding {
  /**
   * As `KeyboardEvent.key` names it: `j`, `Enter`, `?`; two keys one after the other: `g b`; with
   * Ctrl or Cmd: `Ctrl-k`, which works in fields, too. Absent for an action of the palette alone.
   */
  readonly key?: string;
  readonly does: string;
  run(event: { readonly repeat: boolean }): void;
}

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

/** The actions of a part of the page. */
interface Area {
  readonly area: string;
  readonly bindings: readonly KeyBinding[];
}

/**
 * The actions that are possible, by area. Of several for one key the last has it; the others keep
 * their name. Areas are in the order of their rank; of those of one rank the one that was bound last
 * comes first.
 */
export function workingKeys(bound: readonly Area[], rankOf: (area: string) => number): Area[] {
  const [keys, names] = [new Set<string>(), new Set<string>()];
  const areas = new Map<string, KeyBinding[]>();
  for (const { area, bindings } of bound.toReversed()) {
    const working = bindings.flatMap(({ key, ...action }) => {
      const ownKey = key !== undefined && !keys.has(key) ? { key } : {};
      return "key" in ownKey || !names.has(action.does) ? [{ ...action, ...ownKey }] : [];
    });
    for (const { key, does } of working) {
      if (key !== undefined) keys.add(key);
      names.add(does);
    }
    areas.set(area, [...(areas.get(area) ?? []), ...working]);
  }
  return [...areas]
    .map(([area, bindings]) => ({ area, bindings }))
    .filter(({ bindings }) => bindings.length > 0)
    .sort((a, b) => rankOf(a.area) - rankOf(b.area));
}
