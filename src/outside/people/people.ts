import type { Config } from "../../config/config.ts";
import type { Person } from "../../config/people-settings.ts";
import { foldAscii } from "../../lib/fold-ascii.ts";

export type People = Config["people"];

/** @returns undefined: nobody has this name */
export function findPerson(people: People, name: string): Person | undefined {
  return Object.hasOwn(people, name) ? people[name] : undefined;
}

/** Whose account on another service this is. @returns the name; undefined: nobody's, or that of several */
export function personOf(
  people: People,
  service: "github" | "gitlab" | "slack" | "login",
  account: string,
): string | undefined {
  // The services take accounts and addresses in any case.
  const same = (name: string | undefined) => name !== undefined && foldAscii(name) === foldAscii(account);
  const [first, ...others] = Object.entries(people).filter(([, person]) => same(person[service]));
  return others.length === 0 ? first?.[0] : undefined;
}
