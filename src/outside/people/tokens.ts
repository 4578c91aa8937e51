import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ConfigError } from "../../config/config.ts";
import { liveConfig } from "../../config/live-config.ts";
import type { Role } from "../../config/roles.ts";
import { hashOf, tokenFiles } from "../../config/token-files.ts";
import { parsedJson } from "../../lib/json.ts";
import { findPerson, type People } from "./people.ts";

/** A person's token for the panel, without the token itself. */
export interface PersonToken {
  /** The beginning of its hash. */
  readonly id: string;
  readonly person: string;
  /** `token`: made by `signalbox people token make`; `login`: by the OpenID provider. */
  readonly by: "token" | "login";
  /** In ISO 8601. */
  readonly made: string;
  /** Absent: it does not expire. */
  readonly expires?: string | undefined;
}

const FOLDER = "people";
const PREFIX = "sbp_";
const TOKEN = /^sbp_[\w-]{43}$/;
const ID_DIGITS = 10;

const kept = z.strictObject({
  person: z.string(),
  by: z.enum(["token", "login"]),
  made: z.iso.datetime(),
  expires: z.iso.datetime().optional(),
});

/**
 * Makes a token by which a person uses the panel. Only its hash is kept, in the project's state folder.
 *
 * @param valid_ms how long it is valid, in milliseconds; absent: until it is revoked
 * @returns the token, which cannot be had again
 */
export function makePersonToken(
  readModelPath: string,
  {
    person,
    by,
    now_ms,
    valid_ms,
  }: Pick<PersonToken, "person" | "by"> & { now_ms: number; valid_ms?: number | undefined },
): { readonly token: string; readonly id: string } {
  const token = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const made = new Date(now_ms).toISOString();
  const expires = valid_ms === undefined ? {} : { expires: new Date(now_ms + valid_ms).toISOString() };
  tokenFiles(readModelPath, FOLDER).keep(token, { person, by, made, ...expires });
  return { token, id: tokenId(token) };
}

/** The tokens that were made and not revoked, the oldest first. */
export function listPersonTokens(readModelPath: string): PersonToken[] {
  const files = tokenFiles(readModelPath, FOLDER);
  return files
    .list()
    .flatMap((hash) => {
      const { data } = kept.safeParse(parsedJson(files.read(hash) ?? ""));
      return data ? [{ id: idOf(hash), ...data }] : [];
    })
    .sort((a, b) => (a.made < b.made ? -1 : 1));
}

/** From the next request on it opens nothing. @returns false: there is none of this id */
export function revokePersonToken(readModelPath: string, id: string): boolean {
  const files = tokenFiles(readModelPath, FOLDER);
  const found = files.list().filter((hash) => idOf(hash) === id);
  for (const hash of found) files.remove(hash);
  return found.length > 0;
}

/** Who holds a token now. */
interface Holder extends Pick<PersonToken, "by"> {
  readonly name: string;
  readonly role: Role;
}

/** Who holds a token. @returns undefined: it was not made here, was revoked or has expired, or its person was removed */
function holderOf(readModelPath: string, token: string, people: People, now_ms: number): Holder | undefined {
  if (!TOKEN.test(token)) return undefined;
  const { data } = kept.safeParse(parsedJson(tokenFiles(readModelPath, FOLDER).find(token) ?? ""));
  if (!data || (data.expires !== undefined && Date.parse(data.expires) <= now_ms)) return undefined;
  const person = findPerson(people, data.person);
  return person && { name: data.person, role: person.role, by: data.by };
}

/** The id of a token, as it is listed. */
export function tokenId(token: string): string {
  return idOf(hashOf(token));
}

function idOf(hash: string): string {
  return hash.slice(0, ID_DIGITS);
}

/** Tells who holds a token, by the configuration as it is then; nobody does while it cannot be used. */
export function holders(
  readModelPath: string,
  now: () => number = Date.now,
): (token: string) => Holder | undefined {
  const config = liveConfig(readModelPath);
  return (token) => {
    if (!TOKEN.test(token)) return undefined;
    try {
      return holderOf(readModelPath, token, config().people, now());
    } catch (error) {
      if (error instanceof ConfigError) return undefined;
      throw error;
    }
  };
}
