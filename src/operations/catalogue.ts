import { z } from "zod";
import { pc, quoteLine, quoteText, tableLines } from "../lib/terminal/output.ts";
import type { Discipline, Feature } from "../queries/catalogue.ts";
import type { CommandWords } from "./command-words.ts";

/** The common parts of features and disciplines: their commands' words and their display. */

export const entryFields = {
  name: ["<name>", "the name by which tasks refer to it"],
  display_name: ["--display-name <text>", "the name shown to people"],
  description: ["--description <text>", "what it is about"],
  acronym: ["--acronym <word>", "a short label, such as AUTH"],
} as const;

/**
 * A command's answer after creating or changing an entry; repeated under its key, it may find the
 * entry deleted.
 */
export function entryLine(
  noun: string,
  entry: Feature | Discipline | null,
  { name }: { name: string },
): string {
  return `${noun} ${quoteLine(name)}: ${entry ? quoteLine(entry.display_name) : "deleted since"}`;
}

/** The list of all entries. */
export function listWords<Entry extends Feature | Discipline>(
  list: string,
): CommandWords<object, readonly Entry[]> {
  return {
    name: "list",
    isDefault: true,
    does: `list the ${list}`,
    takes: {},
    example: "--json",
    says: (entries) =>
      tableLines(
        ["name", "display name", "description"],
        entries.map(({ name, display_name, description }) => [
          quoteLine(name),
          quoteLine(display_name),
          quoteLine(description),
        ]),
      ),
  };
}

export function deleteWords(noun: string): CommandWords<{ name: string }, { readonly deleted: string }> {
  return {
    name: "delete",
    does: `delete an unused ${noun}`,
    takes: { name: ["<name>", "its name"] },
    example: "billing",
    says: ({ deleted }) => `Deleted the ${noun} ${quoteLine(deleted)}.`,
  };
}

/** The lines that both kinds show first. */
export function headLines(entry: Feature | Discipline, signs: readonly (string | null)[]): string[] {
  const { name, display_name, description, agent_fields } = entry;
  const shown = signs.filter((sign) => sign !== null).map((sign) => quoteLine(sign, 40));
  return [
    [pc.bold(quoteLine(display_name, 200)), quoteLine(name, 100), ...shown].join(" · "),
    ...(agent_fields.length > 0 ? [pc.dim(`written by an agent: ${agent_fields.join(", ")}`)] : []),
    ...(description !== "" ? [`\n${quoteText(description)}`] : []),
  ];
}

/** A titled text of an entry, or several; nothing if there is none. */
export function titled(title: string, texts: string | null | readonly string[]): string[] {
  const all = [texts ?? []].flat().filter((text) => text !== "");
  return all.length === 0
    ? []
    : [`\n${pc.dim(title)}`, ...all.map((text) => quoteText(text).replace(/^/gm, "  "))];
}

/**
 * The writer of each of an entry's texts, for an agent that reads it: an agent's text is not a
 * human's instruction.
 */
export const agentWords = {
  agent_words: z.boolean().describe("True if an agent wrote any of it."),
  agent_fields: z.array(z.string()).describe("The fields an agent wrote."),
};
