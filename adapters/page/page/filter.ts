import type { Address, Changes } from "./address.ts";
import { visible } from "./core.ts";

/** An invalid filter in the address. */
class Wrong extends Error {}

/** Parses a parameter of the address. @throws Wrong */
type Reader<Value> = (text: string, name: string) => Value;

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** The values of a filter; undefined where the address has none. */
export type FilterOf<Of extends { readonly names: Readers }> = {
  readonly [Name in keyof Of["names"]]: ReturnType<Of["names"][Name]> | undefined;
};

/** The filters of a view, by their names in the address. */
export function defineFilter<const Names extends Readers>(names: Names) {
  type Filter = FilterOf<{ readonly names: Names }>;
  return {
    names,
    /** The changes that remove the filters from the address. */
    none: Object.fromEntries(Object.keys(names).map((name) => [name, undefined])) as Changes,
    /** The filter in the address; `wrong` explains an invalid value, which is left out. */
    read({ get }: Pick<Address, "get">): { readonly filter: Filter; readonly wrong: string | undefined } {
      let wrong: string | undefined;
      const values = Object.entries(names).map(([name, read]) => {
        const text = get(name);
        try {
          return [name, text === undefined ? undefined : read(text, name)];
        } catch (error) {
          // Readers throw nothing else.
          wrong ??= (error as Wrong).message;
          return [name, undefined];
        }
      });
      // Each name has what its reader gives.
      return { filter: Object.fromEntries(values) as Filter, wrong };
    },
  };
}

export function isFiltered(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** In characters: the server's limit. */
export const TEXT_LIMIT = 200;

/** Any text, cut to the server's limit. */
export const anyText: Reader<string> = (text) => text.slice(0, TEXT_LIMIT);

export const taskNumber: Reader<number> = (text) => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Wrong(noFilter("task", text, "use a task number"));
  return Number(text);
};

export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (text, name) => {
    const found = words.find((word) => word === text);
    if (found === undefined) {
      throw new Wrong(noFilter(name, text, `use one of ${words.join(", ")}`));
    }
    return found;
  };
}

/** PlainText separated by commas. */
export function someOf<const Word extends string>(words: readonly Word[]): Reader<Word[]> {
  const one = oneOf(words);
  return (text, name) => text.split(",").map((word) => one(word, name));
}

/** The error message for an invalid filter. */
export function noFilter(name: string, text: string, why: string): string {
  return `“${name}=${visible(anyText(text, name))}” is not a valid filter: ${why}.`;
}
