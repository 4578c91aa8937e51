import { type Command, InvalidArgumentError } from "commander";
import { type Config, ConfigError } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { type FormerRight, formerRights, takeOver } from "../../config/former-authority.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { counted } from "../../lib/readable.ts";
import { print, printJson, printTable, quoteLine } from "../../lib/terminal/output.ts";
import { findPerson } from "../../outside/people/people.ts";
import { listPersonTokens, makePersonToken, revokePersonToken } from "../../outside/people/tokens.ts";
import { type Confirming, requireHuman } from "../asking/require-human.ts";
import {
  type CommonOptions,
  guarded,
  parseCount,
  projectOptions,
  readModelPath,
  warnOfFolder,
} from "../making/command.ts";

export function addPeople(program: Command): void {
  const group = program.command("people").description("who may use the panel and answer notices");
  projectOptions(group.command("list", { isDefault: true }))
    .description("show the people of .ralph/config.json, and how many tokens each has")
    .addHelpText("after", "\nExample:\n  signalbox people list")
    .action((options: CommonOptions) => guarded(async () => list(options)));
  projectOptions(group.command("adopt"))
    .option("--yes", "take it over without asking")
    .description(
      "take over tokens and keys that an earlier version kept in .ralph/: shows whom they let in, then asks",
    )
    .addHelpText("after", "\nExample:\n  signalbox people adopt")
    .action((options: CommonOptions & Confirming) => guarded(() => adopt(options)));
  const token = group.command("token").description("the tokens by which people use the panel");
  projectOptions(token.command("make"))
    .argument("<name>", "the person's name in the configuration")
    .option("--days <n>", "end it after so many days", parseDays)
    .description("make a token, and print it once")
    .addHelpText("after", "\nExample:\n  signalbox people token make ada --days 30")
    .action((name: string, options: CommonOptions & { days?: number }) =>
      guarded(async () => make(name, options)),
    );
  projectOptions(token.command("list", { isDefault: true }))
    .description("show the tokens that were made, without the tokens themselves")
    .addHelpText("after", "\nExample:\n  signalbox people token list --json")
    .action((options: CommonOptions) => guarded(async () => listTokens(options)));
  projectOptions(token.command("revoke"))
    .argument("<id>", "the token's id, as `people token list` shows it")
    .description("end a token: from the next request on it opens nothing")
    .addHelpText("after", "\nExample:\n  signalbox people token revoke 3f2a9c01d4")
    .action((id: string, options: CommonOptions) => guarded(async () => revoke(id, options)));
}

const DAY_MS = 24 * 3_600_000;

function parseDays(text: string): number {
  const days = parseCount(text);
  if (days > 3_650) throw new InvalidArgumentError("It must be at most 3650 days.");
  return days;
}

function peopleOf(options: CommonOptions): { readonly path: string; readonly people: Config["people"] } {
  const path = readModelPath(options);
  warnOfFolder(path);
  return { path, people: confirmedConfig(path).people };
}

function list(options: CommonOptions): void {
  const { path, people } = peopleOf(options);
  const tokens = listPersonTokens(path);
  const shown = Object.entries(people).map(([name, { role, channels }]) => ({
    name,
    role,
    channels,
    tokens: tokens.filter(({ person }) => person === name).length,
  }));
  if (options.json) printJson({ people: shown });
  else if (shown.length === 0) print(NOBODY);
  else
    printTable(
      ["name", "role", "channels", "tokens"],
      shown.map(({ name, role, channels, tokens: count }) => [
        quoteLine(name),
        role,
        quoteLine(channels.join(", ")),
        count,
      ]),
    );
}

async function adopt(options: CommonOptions & Confirming): Promise<void> {
  const path = readModelPath(options);
  warnOfFolder(path);
  const rights = formerRights(path);
  const say = options.json ? (line: string) => void process.stderr.write(`${line}\n`) : print;
  if (rights.length > 0) {
    say(
      "An earlier version kept these in .ralph/, where git can write; nothing uses them now. Taking them over lets in:",
    );
    for (const right of rights) say(`  ${quoteLine(rightWords(right), 300)}`);
    await requireHuman("who may do what", options, {
      question: "Take them over?",
      instead: "Review them, then add --yes; or remove the files.",
    });
    takeOver(path, rights);
  }
  if (options.json) printJson({ adopted: rights.map(({ path: file }) => file) });
  else
    print(
      rights.length > 0 ? `Took over ${counted(rights.length, "file")}.` : "There is nothing to take over.",
    );
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

const NOBODY = "There are no people. Add them to people in .ralph/config.json (docs/people.md).";

function make(name: string, options: CommonOptions & { days?: number }): void {
  const { path, people } = peopleOf(options);
  const person = findPerson(people, name);
  if (!person) {
    const names = Object.keys(people);
    const known =
      names.length > 0 ? `${didYouMean(name, names)} The people are ${names.join(", ")}.` : NOBODY;
    throw new ConfigError(`There is no person ${quoteLine(name, 100)}. ${known.trim()}`);
  }
  const valid_ms = options.days === undefined ? undefined : options.days * DAY_MS;
  const { token, id } = makePersonToken(path, { person: name, by: "token", now_ms: Date.now(), valid_ms });
  if (options.json) {
    printJson({ token, id, person: name, role: person.role });
    return;
  }
  print(token);
  process.stderr.write(
    `\nIt is shown this once. ${name} opens the panel's address with ?token= and it; programs send it as \`Authorization: Bearer\`. End it with \`signalbox people token revoke ${id}\`.\n`,
  );
}

function listTokens(options: CommonOptions): void {
  const path = readModelPath(options);
  const tokens = listPersonTokens(path);
  if (options.json) printJson({ tokens });
  else
    printTable(
      ["id", "person", "by", "made", "ends"],
      tokens.map(({ id, person, by, made, expires }) => [
        id,
        quoteLine(person),
        by,
        made.slice(0, 16).replace("T", " "),
        expires?.slice(0, 16).replace("T", " ") ?? "never",
      ]),
    );
}

function revoke(id: string, options: CommonOptions): void {
  const path = readModelPath(options);
  if (!revokePersonToken(path, id))
    throw new ConfigError(
      `There is no token ${quoteLine(id, 50)}. Run \`signalbox people token list\` to see all.`,
    );
  if (options.json) printJson({ revoked: id });
  else print(`Token ${id} opens nothing any more.`);
}
