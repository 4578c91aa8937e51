import { Refusal } from "./refusal.ts";

/** What may be undefined may be absent; what may not is there. */
type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** The fields that were given, as a payload takes them. */
export function givenFields<Fields extends object>(fields: Fields): Present<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  // What is undefined was left out; the entries of an object do not say so to the compiler.
  return Object.fromEntries(present) as Present<Fields>;
}

/**
 * The same, of what is to change.
 *
 * @param what as a sentence names it: `task 1`
 * @param takes the names of the fields that there are
 * @throws Refusal `nothing_to_do`: none was given
 */
export function changedFields<Fields extends object>(
  what: string,
  fields: Fields,
  takes: readonly string[],
): Present<Fields> {
  const given = givenFields(fields);
  if (Object.keys(given).length > 0) return given;
  throw new Refusal("nothing_to_do", nothingGiven(what, takes), { unchanged: what });
}

/** What to say where nothing was given that would change something. */
export function nothingGiven(what: string, takes: readonly string[]): string {
  return `Nothing to change in ${what}: give at least one of ${takes.join(", ")}.`;
}
