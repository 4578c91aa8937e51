import type { Command } from "commander";
import { z } from "zod";
import { type Config, ConfigError } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { type FormerRight, formerRights, takeOver } from "../../config/former-authority.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { counted } from "../../lib/readable.ts";
import { print, quoteLine, tableLines } from "../../lib/terminal/output.ts";
import { BadValue } from "../../operations/command-words.ts";
import { findPerson } from "../../outside/people/people.ts";
import { listPersonTokens, makePersonToken, revokePersonToken } from "../../outside/people/tokens.ts";
import { requireHuman } from "../asking/require-human.ts";
import { type CommonOptions, parseId, readModelPath, warnOfFolder } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineOutside } from "../making/project-command.ts";

/** People are in the configuration, their tokens in files. */
export function addPeople(program: Command): void {
  const does = "who may use the panel and answer notices";
  const group = addGroup(program, { name: "people", does, has: [list, adopt] });
  addGroup(group, {
    name: "token",
    does: "the tokens by which people use the panel",
    has: [make, tokens, revoke],
  });
}

const NOBODY = "There are no people. Add them to people in .ralph/config.json (docs/people.md).";

const list = defineOutside({
  input: z.strictObject({}),
  run(_input, options) {
    const { path, people } = peopleOf(options);
    const tokens = listPersonTokens(path);
    return {
      people: Object.entries(people).map(([name, { role, channels }]) => ({
        ...{ name, role, channels },
        tokens: tokens.filter(({ person }) => person === name).length,
      })),
    };
  },
  command: {
    name: "list",
    isDefault: true,
    does: "show the people of .ralph/config.json, and how many tokens each has",
    takes: {},
    example: "",
    says: ({ people }) =>
      people.length === 0
        ? NOBODY
        : tableLines(
            ["name", "role", "channels", "tokens"],
            people.map(({ name, role, channels, tokens }) => [
              quoteLine(name),
              role,
              quoteLine(channels.join(", ")),
              tokens,
            ]),
          ),
  },
});

const adopt = defineOutside({
  input: z.strictObject({ yes: z.boolean().optional() }),
  async run({ yes }, options) {
    const path = readModelPath(options);
    warnOfFolder(path);
    const rights = formerRights(path);
    const say = options.json ? (line: string) => void process.stderr.write(`${line}\n`) : print;
    if (rights.length > 0) {
      say(
        "An earlier version kept these in .ralph/, where git can write; nothing uses them now. Taking them over lets in:",
      );
      for (const right of rights) say(`  ${quoteLine(rightWords(right), 300)}`);
      await requireHuman("who may do what", yes ? { yes } : {}, {
        question: "Take them over?",
        instead: "Review them, then add --yes; or remove the files.",
      });
      takeOver(path, rights);
    }
    return { adopted: rights.map(({ path: file }) => file) };
  },
  command: {
    name: "adopt",
    does: "take over tokens and keys that an earlier version kept in .ralph/: shows whom they let in, then asks",
    takes: { yes: ["--yes", "take it over without asking"] },
    example: "",
    says: ({ adopted }) =>
      adopted.length > 0 ? `Took over ${counted(adopted.length, "file")}.` : "There is nothing to take over.",
  },
});

const make = defineOutside({
  input: z.strictObject({ name: z.string(), days: z.int().min(1).max(3_650).optional() }),
  run({ name, days }, options) {
    const { path, people } = peopleOf(options);
    const person = findPerson(people, name);
    if (!person) {
      const names = Object.keys(people);
      const known =
        names.length > 0 ? `${didYouMean(name, names)} The people are ${names.join(", ")}.` : NOBODY;
      throw new ConfigError(`There is no person ${quoteLine(name, 100)}. ${known.trim()}`);
    }
    const valid_ms = days === undefined ? undefined : days * DAY_MS;
    const made = makePersonToken(path, { person: name, by: "token", now_ms: Date.now(), valid_ms });
    if (!options.json)
      process.stderr.write(
        `\nThe token below is shown this once. ${name} opens the panel's address with ?token= and it; programs send it as \`Authorization: Bearer\`. End it with \`signalbox people token revoke ${made.id}\`.\n`,
      );
    return { token: made.token, id: made.id, person: name, role: person.role };
  },
  command: {
    name: "make",
    does: "make a token, and print it once",
    takes: {
      name: ["<name>", "the person's name in the configuration"],
      days: ["--days <n>", "end it after so many days", { parse: parseDays }],
    },
    example: "ada --days 30",
    says: ({ token }) => token,
  },
});

const DAY_MS = 24 * 3_600_000;

function parseDays(text: string): number {
  const days = parseId(text);
  if (days > 3_650) throw new BadValue("It must be at most 3650 days.");
  return days;
}

const tokens = defineOutside({
  input: z.strictObject({}),
  run: (_input, options) => ({ tokens: listPersonTokens(readModelPath(options)) }),
  command: {
    name: "list",
    isDefault: true,
    does: "show the tokens that were made, without the tokens themselves",
    takes: {},
    example: "--json",
    says: ({ tokens }) =>
      tableLines(
        ["id", "person", "by", "made", "ends"],
        tokens.map(({ id, person, by, made, expires }) => [
          id,
          quoteLine(person),
          by,
          made.slice(0, 16).replace("T", " "),
          expires?.slice(0, 16).replace("T", " ") ?? "never",
        ]),
      ),
  },
});

const revoke = defineOutside({
  input: z.strictObject({ id: z.string() }),
  run({ id }, options) {
    if (revokePersonToken(readModelPath(options), id)) return { revoked: id };
    throw new ConfigError(
      `There is no token ${quoteLine(id, 50)}. Run \`signalbox people token list\` to see all.`,
    );
  },
  command: {
    name: "revoke",
    does: "end a token: from the next request on it opens nothing",
    takes: { id: ["<id>", "the token's id, as `people token list` shows it"] },
    example: "3f2a9c01d4",
    says: ({ revoked }) => `Token ${revoked} opens nothing any more.`,
  },
});

function peopleOf(options: CommonOptions): { readonly path: string; readonly people: Config["people"] } {
  const path = readModelPath(options);
  warnOfFolder(path);
  return { path, people: confirmedConfig(path).people };
}

/** Whom a file would let in. */
function rightWords({ path, text }: FormerRight): string {
  const told = (words: Readonly<Record<string, unknown>>) =>
    Object.entries(words)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
  try {
    const value: unknown = path.endsWith(".json") && JSON.parse(text);
    if (typeof value !== "object" || value === null) return `${path}: whoever has this key`;
    const { person, by, made, expires = "never", session } = value as Readonly<Record<string, unknown>>;
    return `${path}: ${told(session === undefined ? { person, by, made, ends: expires } : { session })}`;
  } catch {
    return `${path}: no token of ours`;
  }
}
