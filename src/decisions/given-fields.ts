import { Refusal } from "./refusal.ts";

/** Fields that may be left out, by leaving them away or by `undefined`. */
export type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

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

/** The same, of what is to change. @throws Refusal `nothing_to_do`: none was given */
export function changedFields<Fields extends object>(name: string, fields: Fields): Present<Fields> {
  const given = givenFields(fields);
  if (Object.keys(given).length === 0) {
    throw new Refusal("nothing_to_do", `Nothing was given that would change "${name}".`);
  }
  return given;
}
