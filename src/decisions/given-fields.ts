import { Refusal } from "./refusal.ts";

/** Makes fields optional that may be undefined. */
type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** The given fields, as a payload takes them. */
export function givenFields<Fields extends object>(fields: Fields): Present<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Undefined entries were dropped, which the compiler cannot see.
  return Object.fromEntries(present) as Present<Fields>;
}

/**
 * The same for a change.
 *
 * @param what its name in a sentence: `task 1`
 * @param takes the names of all fields
 * @throws Refusal `nothing_to_do`: no field was given
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

/** The refusal if no given field would change anything. */
export function nothingGiven(what: string, takes: readonly string[]): string {
  return `Nothing to change in ${what}: give at least one of ${takes.join(", ")}.`;
}
